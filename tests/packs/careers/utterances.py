"""What people say to the careers tracker, written without a look at the rules.

As in `tests/routers/utterances.py`: FAST is `utterance => intent entity conditions`; what is in
MODEL is for a model to understand, and a fast answer to it would be a wrong one.
"""

from __future__ import annotations

FAST = """
list jobs I have been offered => list jobs status=offer
show me all positions => list jobs
show me my remote roles => list jobs remote_type=remote
list all applications that were rejected => list jobs status=rejected
count jobs => count jobs
count contacts => count contacts
count my contacts at Acme => count contacts company~Acme
list my roles at Acme => list jobs company~Acme
list my positions => list jobs
Zeige alle Jobs, bei denen ich abgelehnt wurde => list jobs status=rejected
which companies do I have => list companies
who are my contacts => list contacts
who is the contact at Acme => lookup contacts company~Acme
what is the title of my job at Acme => lookup jobs company~Acme
what's the location of the Acme job => lookup jobs *~Acme
what is the status of job 3 => lookup jobs #=3
what's the url of the Acme job => lookup jobs *~Acme
open job 3 => lookup jobs #=3
open the Acme job => lookup jobs *~Acme
find the Acme job => lookup jobs *~Acme
find me the Netflix job => lookup jobs *~Netflix
find my Netflix job => lookup jobs *~Netflix
look up the Acme job => lookup jobs *~Acme
look up contact Jane => lookup contacts *~Jane
tell me about the Acme job => lookup jobs *~Acme
tell me about my Acme application => lookup jobs *~Acme
show me the Python job => lookup jobs *~Python
show me job Acme => lookup jobs *~Acme
show me the "Data Scientist" job => lookup jobs *~Data Scientist
show me the "remote" job => lookup jobs *~remote
list my jobs with a fit over 3 => list jobs job_fit>=4
list my jobs by company => list jobs by company
list my jobs by status => list jobs by status
list my jobs by date => list jobs by created_at desc
list my jobs by fit => list jobs by job_fit desc
list my jobs by location descending => list jobs by location desc
list my jobs, newest first => list jobs by created_at desc
list my 3 best paid jobs => list jobs by salary_min desc limit 3
list my jobs at LinkedIn => list jobs company~LinkedIn
list my jobs at AT&T => list jobs company~AT&T
Wie viele Absagen habe ich bekommen => count jobs status=rejected
Zeig mir die Stelle bei Acme => lookup jobs company~Acme
Zeig mir meine Stelle bei Acme => lookup jobs company~Acme
Wie ist der Status meiner Bewerbung bei Acme => lookup jobs company~Acme
Wie viele Kontakte habe ich bei Acme => count contacts company~Acme
Liste alle Firmen => list companies
Zeige meine remote Jobs => list jobs remote_type=remote
Welche Zusagen habe ich => list jobs status=offer
Habe ich Zusagen => count jobs status=offer
Zeig mir meine Anschreiben => list documents kind=cover_letter
Liste meine Jobs nach Firma => list jobs by company
Zeige meine drei neuesten Jobs => list jobs by created_at desc limit 3
Zeige meine neuesten drei Jobs => list jobs by created_at desc limit 3
combien de refus ai-je reçus => count jobs status=rejected
combien de candidatures ont été refusées => count jobs status=rejected
liste mes candidatures refusées => list jobs status=rejected
liste mes postes en télétravail => list jobs remote_type=remote
montre mes postes enregistrés => list jobs status=saved
montre-moi le poste chez Acme => lookup jobs company~Acme
montre-moi mes postes chez Acme => list jobs company~Acme
quel est le salaire du poste chez Acme => lookup jobs company~Acme
quel est le statut de ma candidature chez Acme => lookup jobs company~Acme
combien de contacts ai-je chez Acme => count contacts company~Acme
qui est mon contact chez Acme => lookup contacts company~Acme
liste toutes les entreprises => list companies
combien d'entreprises ai-je => count companies
combien d'offres d'emploi ai-je => count jobs
combien de lettres de motivation ai-je => count documents kind=cover_letter
liste mes postes par salaire => list jobs by salary_min desc
liste mes postes avec un salaire de plus de 50 000 => list jobs salary_min>=50001
cuántos rechazos he recibido => count jobs status=rejected
cuántos trabajos tengo guardados => count jobs status=saved
cuántos trabajos guardados tengo => count jobs status=saved
lista mis trabajos => list jobs
lista mis trabajos remotos => list jobs remote_type=remote
muéstrame mis trabajos guardados => list jobs status=saved
muéstrame el trabajo de Acme => lookup jobs *~Acme
muestra mis contactos en Acme => list contacts company~Acme
quién es mi contacto en Acme => lookup contacts company~Acme
cuántos contactos tengo => count contacts
cuántas empresas tengo => count companies
lista todas las empresas => list companies
lista mis cartas de presentación => list documents kind=cover_letter
cuántas cartas de presentación tengo => count documents kind=cover_letter
lista mis trabajos por salario => list jobs by salary_min desc
lista mis 3 trabajos más recientes => list jobs by created_at desc limit 3
lista mis trabajos con salario de más de 50000 => list jobs salary_min>=50001
how many jobs do I have that I applied to => count jobs status>=applied
how many jobs that I saved are remote => count jobs remote_type=remote status=saved
show me all the jobs I have => list jobs
show me all jobs I saved at Google => list jobs company~Google status=saved
show me my Apple job => lookup jobs *~Apple
how many applications have been rejected => count jobs status=rejected
how many of my applications have been rejected => count jobs status=rejected
how many positions did I apply for => count jobs status>=applied
how many positions did I apply for at Google => count jobs company~Google status>=applied
how many jobs at Google do I have => count jobs company~Google
how many jobs with title Data Scientist do I have => count jobs title~Data Scientist
how many jobs with the title Data Scientist do I have? => count jobs title~Data Scientist
list my jobs with company Acme Inc. => list jobs company~Acme Inc
list my jobs with company "Acme or Globex" => list jobs company~Acme or Globex
list my jobs located in Berlin => list jobs location~Berlin
list my jobs based in New York => list jobs location~New York
list my jobs with status: applied => list jobs status=applied
list my jobs that I added => list jobs
list my contacts with email gmail => list contacts email~gmail
who are my contacts at Google => list contacts company~Google
who is my contact Jane => lookup contacts *~Jane
what is the email of my contact Jane => lookup contacts *~Jane
give me all my contacts => list contacts
give me my jobs => list jobs
give me the number of my jobs => count jobs
give me the total number of jobs I have => count jobs
give me the count of my saved jobs => count jobs status=saved
number of jobs I applied to => count jobs status>=applied
number of my jobs => count jobs
what is my job count => count jobs
what's my application count => count jobs
are there any saved jobs => count jobs status=saved
are there any saved jobs? => count jobs status=saved
are there any jobs I applied to => count jobs status>=applied
do I have any jobs => count jobs
do I have any jobs at Google => count jobs company~Google
do I have any offers => count jobs status=offer
do I have any rejections => count jobs status=rejected
do I have any contacts at Google => count contacts company~Google
have I got any offers => count jobs status=offer
list my applications with an offer => list jobs status=offer
list my applications with offers => list jobs status=offer
list all documents => list documents
show me all my documents => list documents
show my documents, oldest first => list documents by updated_at
show me document 1 => lookup documents #=1
open document 1 => lookup documents #=1
open letter 1 => lookup documents #=1 kind=cover_letter
open the Acme letter => lookup documents *~Acme kind=cover_letter
open the Acme cover letter => lookup documents *~Acme kind=cover_letter
list my jobs at 3M => list jobs company~3M
how many applied jobs do I have => count jobs status>=applied
list my jobs at Interviewing.io => list jobs company~Interviewing.io
list my jobs at "Interviewing.io" => list jobs company~Interviewing.io
show me jobs at Google I have saved => list jobs company~Google status=saved
show me the salary of job 3 => lookup jobs #=3
what are my jobs => list jobs
what are my saved jobs => list jobs status=saved
what are the jobs I saved => list jobs status=saved
which jobs are saved => list jobs status=saved
which jobs did I save => list jobs status=saved
which jobs have I already applied to => list jobs status>=applied
which of my jobs are still saved => list jobs status=saved
which of my jobs were saved => list jobs status=saved
which of my jobs were remote => list jobs remote_type=remote
which of my remote jobs are saved => list jobs remote_type=remote status=saved
how many jobs are saved => count jobs status=saved
how many documents have I saved => count documents
how many cover letters have I got => count documents kind=cover_letter
count documents => count documents
count my letters => count documents kind=cover_letter
list letters I have => list documents kind=cover_letter
list all positions => list jobs
list all roles => list jobs
list all companies => list companies
list all contacts => list contacts
show all contacts => list contacts
show all applications => list jobs
list applications => list jobs
count applications => count jobs
how many jobs have I applied to since March => count jobs status>=applied status@since_march
how many jobs have I applied to in total this month => count jobs status>=applied status@this_month
show me the job at Acme in Berlin => lookup jobs company~Acme location~Berlin
list jobs with salary over 80k => list jobs salary_min>=80001
list jobs with salary over 80k in Berlin => list jobs location~Berlin salary_min>=80001
list every job => list jobs
list each job => list jobs
combien de candidatures ai-je envoyées => count jobs status>=applied
cuántos trabajos me han rechazado => count jobs status=rejected
cuántas candidaturas he enviado => count jobs status>=applied
how many offers have I received => count jobs status>=offer
how many offers have I accepted => count jobs status=accepted
how many applications did I send => count jobs status>=applied
how many applications have I sent => count jobs status>=applied
how many applications did I submit => count jobs status>=applied
how many applications did I withdraw => count jobs status=withdrawn
list jobs where the company is Acme => list jobs company~Acme
list my jobs added today => list jobs created_at@today
what is Jane Doe's email => lookup contacts *~Jane Doe
any offers yet? => count jobs status=offer
list jobs at Acme => list jobs company~Acme
all jobs in Berlin => list jobs location~Berlin
number of companies => count companies
when did I apply to Hooli? => lookup jobs *~Hooli
when did I apply to Initech? => lookup jobs *~Initech
how many did I send in October? => count jobs status>=applied status@october
how many applications did I send in October? => count jobs status>=applied status@october
what is Jane Doe's email? => lookup contacts *~Jane Doe
which applications did I withdraw? => list jobs status=withdrawn
list my jobs with status applied => list jobs status=applied
which of my jobs are in the applied stage => list jobs status=applied
how many of my jobs are at EA => count jobs company~EA
"""

MODEL = """
how many of my jobs are not remote
how many jobs did I apply for at a startup
how many jobs have I applied to on my own
how many jobs have I applied to with a cover letter
how many jobs have I applied to without a cover letter
how many jobs do I have to apply to
how many jobs did I get rejected from after an interview
how many of the jobs I applied to rejected me
how many jobs I applied to rejected me
how many jobs did I apply to that rejected me
how many rejected jobs did I apply to
how many offers did I reject
how many jobs have I rejected
which jobs did I reject
list jobs I rejected
which offers have I rejected
list all jobs I turned down
which jobs have offered me remote
list my offers from Acme
how many letters do I have for Acme
how many letters have I written
list my letters to Acme
count the jobs
count all the companies
list roles at Acme
list the roles I had at Acme
list my previous jobs
list my past jobs
list my current jobs
list my old jobs
list my job history
list my jobs from my resume
which positions have I held
how many jobs have I had
how many jobs have I had so far
how many jobs have I held
how many jobs did I have
how many jobs do I work
how many companies have I worked for
which companies have I worked at
which companies am I interviewing with
list companies I am interviewing with
who is my contact
who is my boss
who is the CEO of Acme
who is Acme
what is Acme
what is the job at Acme
what is my job at Acme
what is the status of #3
open Acme
find Acme
find jobs at Acme
find remote jobs
look up Jane Doe
tell me about Acme
tell me about the job market
tell me about the Berlin job market
tell me about the company culture job
show me the job market
show me the dream job
show me the money
show me the remote job
show me the first job
show me the last job
show me the best job
show me my next job
show me another job
show me a job
show me the job description for Acme
list jobs with salary
list my jobs with a salary over 100k or remote
list my jobs with a salary between 80k and 100k
list my jobs over 80k
list my jobs paying more than Acme
list my jobs paying more than 100
list my jobs with no tags
list my jobs grouped by status
list my jobs sorted by salary and fit
list my jobs, remote first
list zero jobs
list 0 jobs
list 1000 jobs
list half my jobs
list some of my jobs
list most of my jobs
list none of my jobs
list no jobs
list also my rejected jobs
list my jobs for export
list my jobs for Jane
list my jobs for 2025
list my jobs from 2025
list my jobs from LinkedIn
list my jobs from last week
list my jobs on LinkedIn
list my jobs via LinkedIn
list my jobs at Acme and Globex
list my jobs at Acme, Globex
list my jobs at Ben and Jerry's
list my jobs at Marks and Spencer
wie viele Jobs habe ich abgelehnt
welche Stellen habe ich abgelehnt
welche Jobs habe ich nicht beworben
Wie viele Absagen habe ich erteilt
Zeig mir meine Bewerbungen von letzter Woche
Zeig mir alle Stellen mit Gehalt über 80
Liste alle Firmen auf, bei denen ich mich beworben habe
Zeige meine Stellen ohne Bewerbung
Zeige nur remote Jobs
Zeige keine remote Jobs
Wie viele Jobs habe ich noch nicht beworben
Wie viele Jobs habe ich gespeichert und beworben
Welche Firma hat mir zugesagt
Zeig mir meine Lebensläufe
Wie viele Bewerbungen soll ich schreiben
Wie viele Bewerbungen habe ich heute
combien de postes ai-je refusés
combien de postes ai-je refusé
quels postes ai-je refusés
combien de candidatures n'ai-je pas envoyées
liste mes postes pas en télétravail
montre-moi tous mes postes sauf ceux chez Acme
montre-moi mes postes chez Acme ou Globex
montre-moi mes postes chez Acme et Globex
liste toutes les entreprises où j'ai postulé
combien d'offres ai-je reçues
cuántos trabajos he rechazado
qué trabajos he rechazado
cuántas candidaturas no he enviado
cuántos trabajos tengo sin aplicar
cuántos trabajos tengo por aplicar
lista mis trabajos no remotos
lista mis trabajos que no son remotos
lista todos mis trabajos menos Acme
lista todos mis trabajos salvo los rechazados
lista todas las empresas donde apliqué
how many remote jobs that I saved rejected me
show me my saved Google jobs
show me my Meta interviews
show me my interviews
how many interviews do I have
how many interviews have I had
how many offers have I made
how many job offers did I decline
how many applications are pending
how many applications got rejected
how many applications got an offer
how many of my applications have not been rejected
how many of my applications haven't been rejected
how many of my applications were successful
how many positions are open at Google
how many jobs at Google are there
how many jobs does Google have
how many jobs have the word data in the title
how many jobs do I have where the title contains data
list my jobs where the company is not Acme
list my jobs where the company isn't Acme
list my jobs where company is Not Acme
list my jobs located in Berlin, Germany
list my jobs located in Berlin or Paris
list my jobs located in Berlin and paying 100k
list my jobs with status saved or applied
list my jobs with status not applied
list my jobs whose status changed
list my jobs added by Jane
list my contacts with email
list my contacts with an email at acme
list my contacts called Jane or John
list my contacts without email
list my contacts who are recruiters
who are my recruiters
who is Jane at Acme
what is the phone of my contact Jane
what is my contact's email
give me a job
give me a new job
what's my total application count
have I got any interviews
is there any offer
any news?
list my applications without an offer
list my documents for Acme
show my documents by date
delete the Acme cover letter
show me version 2 of the Acme letter
list versions of the Acme letter
list my jobs from May
list my Monday jobs
list my jobs of 2025
list my Applied Materials jobs
how many Applied Materials jobs do I have
how many jobs have I applied to at Applied Materials
show me the Saved by Grace job
show me the Remote job
show me the Remote Inc job
show me my Jobs job
show me my Indeed applications
show me the Contact Energy job
show me the Company X job
list my contacts at Job GmbH
what is the location of the Number 5 job
open number 3
open no. 3
open #3
open 3
open job three
open job #3 and #4
open jobs 3 and 4
open job 3 or 4
show job 3 and delete it
show me job 3's salary
show me the salary of jobs 3
what is the salary of my jobs
what is the salary of my job
what is the salary of my Google job in dollars
what is the salary of my Google job per month
what is the status of my applications
what is the status of my application
what is the status of all my applications
what is the status of the applied job
what is the average salary of my jobs
what is the highest salary of my jobs
what is the total salary of my jobs
what are my jobs worth
what are my job options
what are my chances at Google
what are my strengths
what are the jobs I saved last
which jobs are remote
which jobs did I save first
which jobs did I apply to first
which jobs did I apply to most recently
which job did I apply to
which job is remote
which job is best
which jobs are best
which jobs are the best
which jobs are best for me
which jobs are for me
which jobs should I apply to
which jobs could I apply to
which jobs can I apply to
which jobs will I apply to
which jobs do I apply to
which jobs would I have applied to
which jobs have I applied to in vain
which jobs have I applied to successfully
which jobs have I applied to twice
which jobs have I applied to but not heard from
which jobs have I almost applied to
which jobs have I nearly applied to
which jobs have I never applied to
which jobs have I just applied to
which jobs have I only applied to
which jobs have I only saved
which jobs have I saved only
which of my jobs are only saved
which jobs were saved by Jane
which jobs were applied to by Jane
which jobs has Jane applied to
which jobs has Jane saved
which jobs did Jane save
how many jobs has Jane saved
how many jobs did we apply to
how many jobs have you saved
how many jobs have you saved for me
how many jobs did you find
how many jobs do you have
how many jobs do you know
how many jobs are saved here
how many jobs are saved by default
how many jobs are in the database
how many jobs are on LinkedIn
how many jobs are remote
how many jobs are remote nowadays
how many contacts are there
how many contacts does a recruiter need
how many contacts should I have
how many companies are there
how many companies are there in Berlin
how many companies are hiring
how many companies are in Berlin
how many documents can I upload
how many documents have I uploaded
how many documents are needed
how many letters are in the alphabet
how many letters are there in the word jobs
how many letters in jobs
how many letters does the alphabet have
how many cover letters should I write
count the letters
count all letters
count words in my cover letter
count the words in my letters
list letters of the alphabet
list the letters in applied
list the positions of all planets
list all positions in football
list all roles in Hamlet
list all companies in Berlin
list all companies in the DAX
list all contacts of Jane
show all companies in Berlin
show all applications running on port 80
show all applications installed
list installed applications
list applications on my Mac
list my applications on my Mac
count running applications
how many applications do I have open
how many applications do I have running
how many applications do I have installed
how many jobs did I get?
how many IT jobs do I have?
my IT applications
do I have any IT jobs saved?
how many it jobs do i have
how many IT contacts do I have?
HOW MANY IT JOBS DO I HAVE?
my last two jobs
show me my last two jobs
list my last 3 jobs
all jobs except rejected
list all jobs except the rejected ones
zeig mir meine letzten zwei Jobs
meine letzten zwei Stellen
liste mes 3 derniers postes
montre-moi mes deux derniers postes
muéstrame mis dos últimos trabajos
mis últimos dos trabajos
salary for the best role
my jobs are remote
who interviewed me at Google?
list all roles in Hamlet
list my jobs in German
"""
