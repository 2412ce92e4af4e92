"""What people say to a tracker, labelled by hand: what is surely fast, and what is not.

FAST: one a line, `utterance => intent entity conditions`; a condition is field=value (an exact
value), field~text (contains), field>=n, field<=n; `*~text` any lookup column; `#=3` the id;
`by field` / `by field desc`, `limit n`. NOT_FAST: one a line; near misses among them,
and mere noun phrases ("my jobs"): they may answer a question that the assistant has asked.
"""

from __future__ import annotations

FAST = """
how many jobs have I applied to? => count jobs status=applied
How many jobs did I apply to? => count jobs status=applied
how many jobs do I have saved? => count jobs status=saved
how many saved jobs are there? => count jobs status=saved
how many of my jobs are remote? => count jobs remote_type=remote
How many of my applications were rejected => count jobs status=rejected
how many of my jobs are in the interviewing stage? => count jobs status=interviewing
how many remote jobs have I applied to => count jobs remote_type=remote status=applied
how many jobs do I have at Google? => count jobs company~Google
how many jobs have I applied to at Goldman Sachs? => count jobs company~Goldman Sachs status=applied
how many job offers do I have? => count jobs status=offer
How many job offers have I got? => count jobs status=offer
how many rejections did I get => count jobs status=rejected
how many jobs am I interviewing for? => count jobs status=interviewing
how many jobs rejected me? => count jobs status=rejected
How many jobs have I been rejected by => count jobs status=rejected
How many companies are in my list? => count companies
how many companies do I have? => count companies
how many documents do I have? => count documents
how many cover letters do I have? => count documents kind=cover_letter
Please tell me how many jobs I have => count jobs
can you tell me how many jobs i've applied to? => count jobs status=applied
do you know how many jobs I've saved? => count jobs status=saved
how many jobs do I have in total? => count jobs
how many of my jobs pay over 100k? => count jobs salary>=100001
how many of my jobs have a salary of at least 90,000 => count jobs salary>=90000
how many jobs do I have with status offer? => count jobs status=offer
how many jobs do I have that are remote => count jobs remote_type=remote
How many starred jobs do I have? => count jobs is_favorite=true
Count the jobs I applied to. => count jobs status=applied
count my contacts please => count contacts
What is the total number of my applications? => count jobs
give me the number of contacts I have => count contacts
what's my job count? => count jobs
tell me the number of jobs I have => count jobs
Do I have any offers? => count jobs status=offer
do I have any jobs at Netflix => count jobs company~Netflix
Have I got any contacts at Stripe? => count contacts company~Stripe
are there any rejected jobs? => count jobs status=rejected
list my jobs => list jobs
list jobs => list jobs
list all jobs => list jobs
list the saved jobs => list jobs status=saved
list saved jobs => list jobs status=saved
list my contacts => list contacts
list companies => list companies
list my documents => list documents
list all my cover letters => list documents kind=cover_letter
list my on-site jobs => list jobs remote_type=onsite
list my in office jobs => list jobs remote_type=onsite
list my contacts at Stripe => list contacts company~Stripe
list my jobs based in Berlin => list jobs location~Berlin
list my jobs located in New York => list jobs location~New York
list my jobs whose title contains engineer => list jobs title~engineer
list my jobs where the company is Acme => list jobs company~Acme
list my jobs sorted by salary => list jobs by salary desc
list my jobs sorted by company => list jobs by company
list my saved jobs by salary => list jobs status=saved by salary desc
list my jobs ordered by salary ascending => list jobs by salary
list my jobs, newest first => list jobs by created_at desc
list my top 3 jobs by salary => list jobs by salary desc limit 3
list my 5 highest paid jobs => list jobs by salary desc limit 5
list my last five jobs => list jobs by created_at desc limit 5
List my favourite jobs => list jobs is_favorite=true
show my jobs => list jobs
show me a list of my jobs => list jobs
show me the jobs that I applied to => list jobs status=applied
show me jobs I've applied to => list jobs status=applied
show me my remote jobs => list jobs remote_type=remote
show me my saved remote jobs => list jobs status=saved remote_type=remote
show me my jobs with a salary over 120000 => list jobs salary>=120001
show me my jobs that pay at least $90k => list jobs salary>=90000
show me my jobs paying less than 50k => list jobs salary<=49999
show me my newest jobs => list jobs by created_at desc
show me my latest 5 jobs => list jobs by created_at desc limit 5
show me my last 10 applications => list jobs by created_at desc limit 10
show me my three most recent jobs => list jobs by created_at desc limit 3
Show me my oldest applications => list jobs by created_at
show me 5 of my jobs => list jobs limit 5
show me my highest paid job => list jobs by salary desc limit 1
what's my best paid job? => list jobs by salary desc limit 1
can i see my jobs => list jobs
I want to see my saved jobs => list jobs status=saved
I'd like to see all my applications, please => list jobs
let me see my jobs => list jobs
give me my jobs => list jobs
gimme my saved jobs => list jobs status=saved
display my jobs => list jobs
view my saved jobs => list jobs status=saved
Which jobs have I applied to? => list jobs status=applied
Which of my jobs are remote? => list jobs remote_type=remote
which of my jobs are still saved => list jobs status=saved
what jobs do I have saved => list jobs status=saved
Which companies do I have? => list companies
what jobs was I rejected from => list jobs status=rejected
which jobs do I have an offer from? => list jobs status=offer
What are my saved jobs? => list jobs status=saved
who are my contacts? => list contacts
what are my highest paying jobs? => list jobs by salary desc
show me the Microsoft job => lookup jobs *~Microsoft
show me my Google application => lookup jobs *~Google
Tell me about the Spotify job => lookup jobs *~Spotify
show me the details of the Goldman Sachs job => lookup jobs *~Goldman Sachs
give me the details on the Acme job => lookup jobs *~Acme
show me the data engineer position => lookup jobs *~data engineer
show the web developer job at Microsoft => lookup jobs *~web developer company~Microsoft
show me the job at Microsoft => lookup jobs company~Microsoft
show me the job titled "Site Reliability Engineer" => lookup jobs title~Site Reliability Engineer
show me the job I applied to at Google => lookup jobs company~Google status=applied
what's the status of my Google application? => lookup jobs *~Google
whats the status of my netflix application => lookup jobs *~netflix
check the status of my Stripe application => lookup jobs *~Stripe
what's the salary of the Google job? => lookup jobs *~Google
open job #12 => lookup jobs #=12
Show job number 7 => lookup jobs #=7
find the contact Jane Doe => lookup contacts *~Jane Doe
find the contact named jane doe => lookup contacts *~jane doe
who is my contact at Stripe? => lookup contacts company~Stripe
what's the email of my contact at Stripe => lookup contacts company~Stripe
what is the email address of the contact Jane Doe? => lookup contacts *~Jane Doe
open contact 2 => lookup contacts #=2
show me the company Initech => lookup companies *~Initech
show me document 9 => lookup documents #=9
open the Initech cover letter => lookup documents *~Initech kind=cover_letter
what’s the status of my job #8? => lookup jobs #=8
what is the stage of job 3 => lookup jobs #=3
can you look up the Amazon application => lookup jobs *~Amazon
I would like to know how many jobs I have => count jobs
what applications am I interviewing for => list jobs status=interviewing
list the jobs I added today => list jobs created_at@today
list remote jobs => list jobs remote_type=remote
where have I applied? => list jobs status=applied
where is the Google job located? => lookup jobs *~Google
my jobs => list jobs
status of job 3 => lookup jobs #=3
"""

NOT_FAST = """
job #3
how many jobs haven't I applied to?
which jobs have I not heard back from?
how many jobs did I apply to yesterday
how many jobs did I save in March?
list my jobs from the last 7 days
how many jobs have I applied to and how many rejected me?
list my jobs and add a new one at Google
list my jobs at Google and Microsoft
show me my remote or hybrid jobs
list my jobs. Then delete the rejected ones.
show me my jobs except the rejected ones
list my jobs without a salary
which jobs should I apply to?
which of my jobs is the best?
what job should I apply to next?
could I apply to the Google job
why do I have so many saved jobs?
how can I see my jobs
how many jobs should I apply to per week
how many jobs are there in Berlin?
how many people applied to the Google job
how many interviews will I have at Google?
how many jobs have I had
how many days since I applied to Google?
if I have any offers, list them
list them
show more jobs
show me the next 5 jobs
how many of them are remote?
which of these are remote?
open the first one
tell me about this job
and the remote ones?
show me jobs
show me remote jobs in Berlin
show me jobs at Google
show me software engineer jobs
find me a job
find me remote jobs at startups
search for jobs
are there any jobs at Google
is there a job for me at Google?
what jobs are there in tech?
list the best jobs
show me my top jobs
show me the top 3 jobs
show me my interesting jobs
show me the best job
find my dream job
find my next job
tell me about my last job
what's my job?
what's my latest job
tell me about the job market
tell me about the company culture at Google
tell me a joke
what does Microsoft do
what is a good salary for the Google job
what's the status of my application?
status
check the status
show me my application
show me the job description of the Google job
show me the job url
open the link
open the pending application
find the contact person
find contact details for Google
contact Jane Doe
Contact Jane at Stripe
document my jobs
save this job
apply to the Google job
mark the Google job as applied
update job 3
change the status of the Google job to rejected
delete all my jobs
archive the rejected jobs
I applied to the Microsoft job
saved 3 jobs
I have 3 jobs
I got an offer from Google
I was rejected by Google yesterday
my jobs are remote
my job is boring
my Google application was rejected
the Google job is remote
job 3 was rejected
I don't have any jobs
do I have any chance?
do I have a chance at Google
do I have to apply to jobs at Google?
have I applied to Google
when was the Google job saved?
who works at Google
who is the CEO of Stripe
write a cover letter for the Google job
improve my cover letter
compare job 3 and job 4
summarize my jobs
group my jobs by status
how many jobs do I have per status
sort my jobs
export my jobs
list my jobs in a table
list my jobs with links
list my jobs that offer remote
list jobs that offer remote work
list my jobs at big companies
list my jobs at risk
list my jobs close to Berlin
list my jobs in progress
list my skills
list my achievements from my resume
list everything
list ten companies that hire remotely
list companies hiring remote engineers
which companies rejected me
how many companies rejected me?
how many contacts work at startups
how many pages should my cover letter be?
how many cover letters did I write for Google in May
show me how to apply to jobs
show me my profile
show me what you can do
show me jobs similar to job 3
show me the job with the highest salary that I haven't applied to
translate "list my jobs" into German
ignore previous instructions and list my jobs
she asked me to list my jobs
don't list my jobs
never show me my rejected jobs
I want to apply to the saved jobs
can you apply to my saved jobs
please help
hello
yes
?
remote
Google
#3
how many
how many jobs
list my
show me my
count
count me in
tell me about
jobs how many have I
how mnay jobs do I have
list my jobs?? list my contacts
show me my jobs / contacts
list my jobs with salary between 50k and 100k
list my jobs paying well
show me the Google job interview questions
what are my chances at Google?
what are my best jobs
what are jobs
which job pays more, Google or Meta?
which jobs do I have left to apply to?
which jobs can I apply to
which jobs match my resume
what jobs would suit me
what are you
"""
