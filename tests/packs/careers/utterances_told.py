# ruff: noqa: E501 - a label stands beside its sentence
"""What a fifth and a sixth stranger say to a job tracker, in the form of `utterances_later`: 70 sentences in
each language, and 880 for a model that look as if rows could answer them: events that are told,
plans, shares, other people's applications.

Neither writer had seen rules or code. Of the fifth's 400 for a model ten were answered when they
were new, eight of them by `closed_reading`, which has asked since whether a sentence asks; of the sixth's
480, written after that, seven. Mended where it was general. Left out are four of them, of which lookups
of what is nobody's row go on to a model anyway, and sentences that older sets label in another way.
"""

from __future__ import annotations

ENGLISH = """
could you tell me how many jobs I've applied to in total => count jobs status>=applied
what stage is the Halliburton thing at => lookup jobs *~Halliburton
any of my jobs in Leeds? show me => list jobs location~Leeds
need the phone number for Siobhan Kearney real quick => lookup contacts *~Siobhan Kearney
bring up the jobs I've bookmarked => list jobs status=saved
Would you kindly list the people I have recorded at Deloitte. => list contacts company~Deloitte
pull up all my cover letters => list documents kind=cover_letter
how many cover letters are in here => count documents kind=cover_letter
when did I send off my application to the Royal Mail? => lookup jobs *~Royal Mail
which of my jobs let me work fully from home => list jobs remote_type=remote
how many are in-office only => count jobs remote_type=onsite
what's the pay on that welder job I put in => lookup jobs *~welder
jobs in my list that start at 70k or higher => list jobs salary_min>=70000
the jobs i got a no for yesterday, list them => list jobs status=rejected status@yesterday
I pulled out of a few, how many was it => count jobs status=withdrawn
where do I stand with Trader Joe's => lookup jobs *~Trader Joe's
electrician jobs in Omaha pls => list jobs title~electrician location~Omaha
five best paid jobs on my list => list jobs by salary_min desc limit 5
how many jobs went into my tracker last month => count jobs created_at@last_month
who does Kwame Boateng work for again? => lookup contacts *~Kwame Boateng
number of jobs I've got with Lockheed => count jobs company~Lockheed
see applications sent today => list jobs status>=applied status@today
how many nursing roles have I saved => count jobs title~nursing status=saved
documents, all of them => list documents
Is the Patagonia job hybrid or on site? I forget => lookup jobs *~Patagonia
my address book has how many people in it => count contacts
show me what I added in March => list jobs created_at@march
ones i'm interviewing for right now, sorted by pay from the top => list jobs status=interviewing by salary_min desc
Which companies have rejected me so far? => list companies status=rejected
how many hybrid jobs do i have in Manchester => count jobs remote_type=hybrid location~Manchester
what's Dr. Ines Halloran's email address, if I saved it => lookup contacts *~Ines Halloran
how many did I apply to last week? the job centre wants a number => count jobs status>=applied status@last_week
oldest jobs on my list first => list jobs by created_at
Which jobs did I withdraw from this month? => list jobs status=withdrawn status@this_month
what city was the Zillow one in => lookup jobs *~Zillow
rejected by Amazon how many times now lol => count jobs company~Amazon status=rejected
let me look at my remote marketing jobs => list jobs remote_type=remote title~marketing
how many different companies do I have in here => count companies
Onsite jobs in Cardiff, could I see those? => list jobs remote_type=onsite location~Cardiff
so what's my rejection tally at, be honest => count jobs status=rejected
can i see whats saved => list jobs status=saved
Would you kindly pull up the entry for the Rolls-Royce position? => lookup jobs *~Rolls-Royce
anything from leeds in my list? show me => list jobs location~Leeds
how many nurse ones have i got on here => count jobs title~nurse
need dr. Okafor's number quick => lookup contacts *~Okafor
which ones came back with an offer last month => list jobs status>=offer status@last_month
Number of applications submitted today? => count jobs status>=applied status@today
pull up everything hybrid in manchester => list jobs location~manchester remote_type=hybrid
how much was that Lidl job paying again => lookup jobs *~Lidl
Kindly list the cover letters I have stored. => list documents kind=cover_letter
hm how many did I pull out of in the end => count jobs status=withdrawn
people i know at Deloitte, go => list contacts company~Deloitte
When did I apply to Ocado? => lookup jobs *~Ocado
what jobs did I put in here yesterday => list jobs created_at@yesterday
how many different companies are in my tracker => count companies
jobs of mine with at least 60k on them pls => list jobs salary_min>=60000
the 3 best paid jobs ive saved => list jobs status=saved by salary_min desc limit 3
My mum wants to know how many applications I sent in March, can you count => count jobs status>=applied status@march
who does Tamsin Boyle work for => lookup contacts *~Tamsin Boyle
Have I been rejected by Tesco? => count jobs company~Tesco status=rejected
all the warehouse ones please, alphabetical by company => list jobs title~warehouse by company
how many office-based jobs do I have saved => count jobs status=saved remote_type=onsite
where's that lab assistant thing based => lookup jobs *~lab assistant
Good morning, could I see all the documents I've uploaded? => list documents
how many people are in my contacts now => count contacts
which jobs did i add last week => list jobs created_at@last_week
show the ones where im at interview stage rn => list jobs status=interviewing
how many electrician jobs am I tracking in Cork => count jobs title~electrician location~Cork
do you have an email for Priya Nandakumar in there => lookup contacts *~Priya Nandakumar
"""

GERMAN = """
Wie viele Bewerbungen hab ich eigentlich schon rausgeschickt? => count jobs status>=applied
wie siehts bei Rossmann aus => lookup jobs *~Rossmann
Zeig mir bitte die Stellen in Augsburg => list jobs location~Augsburg
handynummer von frau Özdemir? => lookup contacts *~Özdemir
alle Absagen aus dieser Woche => list jobs status=rejected status@this_week
welche stellen hab ich nur gemerkt und noch nix hingeschickt => list jobs status=saved
Wen kenne ich bei Siemens? => list contacts company~Siemens
Wie viele Lebensläufe liegen hier? => count documents kind=resume
meine anschreiben mal anzeigen => list documents kind=cover_letter
Wann habe ich mich bei der Telekom beworben? => lookup jobs *~Telekom
Homeoffice-Stellen, also komplett remote, bitte auflisten => list jobs remote_type=remote
wieviele hybride jobs sind dabei => count jobs remote_type=hybrid
Was zahlt nochmal die Stelle als Lokführer? => lookup jobs *~Lokführer
Welche meiner Jobs liegen bei mindestens 55.000 Euro? => list jobs salary_min>=55000
die absagen von gestern, her damit => list jobs status=rejected status@yesterday
Bei wie vielen Stellen hab ich meine Bewerbung zurückgezogen => count jobs status=withdrawn
Könnten Sie mir sagen, wie der Stand bei Trumpf ist? => lookup jobs *~Trumpf
erzieher jobs in rostock => list jobs title~erzieher location~rostock
die drei bestbezahlten Jobs aus meiner Liste => list jobs by salary_min desc limit 3
Wie viele Stellen habe ich letzten Monat neu eingetragen? => count jobs created_at@last_month
bei welcher firma ist Jannik Petersen noch gleich => lookup contacts *~Jannik Petersen
Anzahl Jobs bei Bosch => count jobs company~Bosch
Heute verschickte Bewerbungen bitte. => list jobs status>=applied status@today
wie oft hat mich die Sparkasse schon abgelehnt => count jobs company~Sparkasse status=rejected
Liste aller Dokumente => list documents
Ist die Stelle bei Hapag-Lloyd vor Ort oder hybrid? Weiß ich nicht mehr. => lookup jobs *~Hapag-Lloyd
wie viele kontakte hab ich gespeichert => count contacts
was ist im april dazugekommen an jobs => list jobs created_at@april
Bei welchen Stellen bin ich gerade im Vorstellungsgespräch? => list jobs status=interviewing
Welche Firmen haben mich abgelehnt? => list companies status=rejected
fürs Arbeitsamt: wie viele bewerbungen gingen letzte woche raus => count jobs status>=applied status@last_week
Mailadresse von Dr. Wiebke Landgraf => lookup contacts *~Wiebke Landgraf
Stellen nach Gehalt sortiert, das höchste zuerst => list jobs by salary_min desc
in welcher Stadt liegt die Stelle bei Jungheinrich, die ich eingetragen hab => lookup jobs *~Jungheinrich
wie viele buchhalter-stellen hab ich gemerkt => count jobs title~buchhalter status=saved
remote-jobs als Grafikdesigner zeigen => list jobs remote_type=remote title~Grafikdesigner
Wie viele verschiedene Firmen stehen in meiner Liste? => count companies
hab ich diesen monat schon absagen kassiert und wenn ja wie viele => count jobs status=rejected status@this_month
Gib mir die Vor-Ort-Stellen in Kiel. => list jobs location~Kiel remote_type=onsite
wieviele jobs hab ich heute angelegt? => count jobs created_at@today
wie viele absagen hab ich inzwischen kassiert => count jobs status=rejected
zeig ma die gemerkten stellen => list jobs status=saved
Wären Sie so freundlich, mir alle Stellen in Kassel aufzulisten? => list jobs location~Kassel
was zahlt Bosch bei meiner stelle nochmal => lookup jobs *~Bosch
brauch schnell die nummer von Frau Wieczorek => lookup contacts *~Wieczorek
Wie viele Bewerbungen habe ich diese Woche rausgeschickt? => count jobs status>=applied status@this_week
wo bin ich grad noch im gespräch, liste bitte => list jobs status=interviewing
alle lebensläufe die ich hochgeladen hab => list documents kind=resume
Anzahl Kontakte => count contacts
wann hab ich mich eigentlich bei der Stadtsparkasse beworben => lookup jobs *~Stadtsparkasse
welche firmen haben mir letzten monat abgesagt => list companies status=rejected status@last_month
homeoffice-stellen mit mindestens 55.000 bitte => list jobs remote_type=remote salary_min>=55000
Bei welcher Firma sitzt noch mal der Herr Özdemir? => lookup contacts *~Özdemir
wie viele stellen als erzieherin hab ich drin => count jobs title~erzieherin
die fünf zuletzt eingetragenen stellen => list jobs by created_at desc limit 5
Hab ich überhaupt schon ein Angebot bekommen? => count jobs status>=offer
wen kenne ich bei Siemens? => list contacts company~Siemens
meine hybriden jobs in münchen, danke dir! => list jobs location~münchen remote_type=hybrid
wie oft hab ich selber zurückgezogen => count jobs status=withdrawn
Was habe ich gestern alles eingetragen, also an Stellen? => list jobs created_at@yesterday
wie stehts um die sache bei Kärcher => lookup jobs *~Kärcher
Bitte sämtliche Anschreiben anzeigen. => list documents kind=cover_letter
wieviele firmen sind das jetzt insgesamt in meiner liste => count companies
stellen nach gehalt sortiert, das höchste oben => list jobs by salary_min desc
hat mir die Telekom schon abgesagt? => count jobs company~Telekom status=rejected
Im Mai hab ich wie viele Bewerbungen verschickt? => count jobs status>=applied status@may
wo war die Logistikleiter-Stelle nochmal, welche stadt => lookup jobs *~Logistikleiter
hast du die mail von Annegret Lohse => lookup contacts *~Annegret Lohse
zeig alle kontakte von mir => list contacts
Wie viele Dokumente sind denn hinterlegt? => count documents
"""

FRENCH = """
j'ai envoyé combien de candidatures en tout ? => count jobs status>=applied
ça en est où avec Decathlon => lookup jobs *~Decathlon
Peux-tu m'afficher mes postes à Clermont-Ferrand ? => list jobs location~Clermont-Ferrand
le tel de Maëlle Guivarch stp => lookup contacts *~Maëlle Guivarch
qui m'a dit non cette semaine, fais voir les postes => list jobs status=rejected status@this_week
les postes que j'ai mis de côté => list jobs status=saved
Quels contacts ai-je chez Airbus ? => list contacts company~Airbus
combien de cv j'ai mis ici => count documents kind=resume
voir mes lettres de motivation => list documents kind=cover_letter
Quand est-ce que j'ai postulé à la Poste déjà ? => lookup jobs *~la Poste
montre les postes 100 % télétravail => list jobs remote_type=remote
Combien de postes en hybride dans ma liste ? => count jobs remote_type=hybrid
il est payé combien le poste de soudeur que j'avais noté => lookup jobs *~soudeur
Mes postes à 40 000 euros minimum, s'il vous plaît. => list jobs salary_min>=40000
refus reçus hier => list jobs status=rejected status@yesterday
J'ai retiré combien de candidatures au final => count jobs status=withdrawn
Auriez-vous l'amabilité de me rappeler l'état de ma candidature chez Michelin ? => lookup jobs *~Michelin
infirmière à Brest, sors-moi ce que j'ai comme postes => list jobs title~infirmière location~Brest
top 3 des mieux payés parmi mes postes => list jobs by salary_min desc limit 3
Combien de postes j'ai ajoutés le mois dernier ? => count jobs created_at@last_month
Il bosse où Yacine Belkacem, je sais plus => lookup contacts *~Yacine Belkacem
nombre de postes chez Thales => count jobs company~Thales
les candidatures parties aujourd'hui => list jobs status>=applied status@today
combien de fois Carrefour m'a refusé mdr => count jobs company~Carrefour status=rejected
tous mes documents svp => list documents
c'est sur site ou pas le poste chez Blablacar ? => lookup jobs *~Blablacar
j'ai combien de contacts enregistrés => count contacts
Qu'est-ce que j'ai ajouté comme offres d'emploi en février ? => list jobs created_at@february
les postes où je suis en entretien en ce moment => list jobs status=interviewing
Quelles entreprises m'ont refusé jusqu'ici ? => list companies status=rejected
pour france travail il me faut le nombre de candidatures envoyées la semaine dernière => count jobs status>=applied status@last_week
mes offres d'emploi triées par salaire, du plus haut au plus bas => list jobs by salary_min desc
Le poste chez Ubisoft, c'est dans quelle ville ? => lookup jobs *~Ubisoft
combien de postes de comptable j'ai sauvegardés => count jobs title~comptable status=saved
graphiste en télétravail complet, affiche mes postes => list jobs remote_type=remote title~graphiste
Ma liste compte combien d'entreprises différentes ? => count companies
combien de refus ce mois-ci => count jobs status=rejected status@this_month
Donne-moi les postes sur site à Nancy. => list jobs remote_type=onsite location~Nancy
les boites où j'ai retiré ma candidature, lesquelles c'était ? => list companies status=withdrawn
j'en suis à combien de refus là => count jobs status=rejected
fais voir mes annonces enregistrées stp => list jobs status=saved
Auriez-vous l'amabilité de m'afficher la fiche du poste chez Michelin ? => lookup jobs *~Michelin
tous les postes que j'ai sur nantes => list jobs location~nantes
combien de candidatures envoyées ce mois-ci ? => count jobs status>=applied status@this_month
où est-ce que je suis en entretien en ce moment, la liste => list jobs status=interviewing
il est payé combien déjà mon poste chez Thales => lookup jobs *~Thales
mes CV => list documents kind=resume
Combien ai-je de lettres de motivation enregistrées ? => count documents kind=cover_letter
c'était quand que j'ai postulé à la Fnac => lookup jobs *~Fnac
quelles boîtes m'ont dit non la semaine dernière => list companies status=rejected status@last_week
les postes en télétravail complet à 40000 minimum => list jobs remote_type=remote salary_min>=40000
Chez qui travaille Solène Marchadier ? => lookup contacts *~Solène Marchadier
j'ai combien d'offres d'infirmière dans ma liste => count jobs title~infirmière
les 4 derniers postes que j'ai ajoutés => list jobs by created_at desc limit 4
qui je connais chez Airbus ? => list contacts company~Airbus
postes hybrides à lyon, merci d'avance => list jobs location~lyon remote_type=hybrid
combien de fois je me suis désisté => count jobs status=withdrawn
Qu'est-ce que j'ai ajouté comme postes hier ? => list jobs created_at@yesterday
Nombre total de contacts => count contacts
trie mes postes du mieux payé au moins bien payé => list jobs by salary_min desc
combien d'entreprises différentes j'ai là-dedans => count companies
en février j'ai envoyé combien de candidatures ? => count jobs status>=applied status@february
il est dans quelle ville le poste de chef de rayon => lookup jobs *~chef de rayon
t'aurais le mail de Yannick Toussaint dans mes contacts ? => lookup contacts *~Yannick Toussaint
Je souhaiterais consulter l'ensemble de mes documents. => list documents
combien de postes en présentiel à Lille => count jobs location~Lille remote_type=onsite
"""

SPANISH = """
¿A cuántos trabajos me he postulado en total? => count jobs status>=applied
como va lo de Mercadona => lookup jobs *~Mercadona
enséñame los puestos que tengo en Zaragoza => list jobs location~Zaragoza
pásame el cel de Ximena Arriaga porfa => lookup contacts *~Ximena Arriaga
rechazos de esta semana, a ver cuáles => list jobs status=rejected status@this_week
los puestos que nomás tengo guardados, sin postular => list jobs status=saved
¿Qué contactos tengo en Telefónica? => list contacts company~Telefónica
cuantos curriculums tengo subidos => count documents kind=resume
Muéstrame mis cartas de presentación, por favor. => list documents kind=cover_letter
cuándo fue que apliqué a Bimbo? => lookup jobs *~Bimbo
los trabajos remotos que tengo anotados => list jobs remote_type=remote
¿Cuántos híbridos hay en mi lista? => count jobs remote_type=hybrid
cuánto pagaban en el puesto de soldador que apunté => lookup jobs *~soldador
puestos míos de 30.000 euros para arriba => list jobs salary_min>=30000
¿Quién me rechazó ayer? Sácame los puestos => list jobs status=rejected status@yesterday
de cuantos procesos me retiré ya => count jobs status=withdrawn
Buenas tardes, ¿me podría indicar en qué estado está mi candidatura en Iberdrola? => lookup jobs *~Iberdrola
enfermera en Rosario, mostrame los puestos que tengo => list jobs title~enfermera location~Rosario
los 4 mejor pagados de mi lista => list jobs by salary_min desc limit 4
cuántos trabajos agregué el mes pasado a la lista => count jobs created_at@last_month
en qué empresa está Nahuel Quiroga? se me olvidó => lookup contacts *~Nahuel Quiroga
número de puestos en Repsol => count jobs company~Repsol
dame las postulaciones que mandé hoy => list jobs status>=applied status@today
cuántas veces me ha rechazado Inditex jaja => count jobs company~Inditex status=rejected
todos los documentos => list documents
¿El puesto de Rappi es presencial o qué? => lookup jobs *~Rappi
cuántos contactos llevo guardados => count contacts
A ver los trabajos que añadí en mayo. => list jobs created_at@may
en cuáles puestos estoy en entrevistas ahorita => list jobs status=interviewing
¿Qué empresas me han dicho que no? => list companies status=rejected
para el SEPE, cuántas candidaturas envié la semana pasada => count jobs status>=applied status@last_week
correo de la licenciada Montserrat Olmedo => lookup contacts *~Montserrat Olmedo
Ordena mis puestos por sueldo, de mayor a menor => list jobs by salary_min desc
en qué ciudad era el de Globant => lookup jobs *~Globant
cuantos puestos de contador tengo guardados => count jobs title~contador status=saved
diseñador gráfico remoto, los que tengo => list jobs remote_type=remote title~diseñador gráfico
¿Cuántas empresas distintas tengo registradas? => count companies
cuántos rechazos llevo este mes => count jobs status=rejected status@this_month
Quiero ver los presenciales en Guadalajara. => list jobs remote_type=onsite location~Guadalajara
cuántos trabajos metí hoy en la lista? => count jobs created_at@today
cuántas veces me han rechazado ya => count jobs status=rejected
a ver las vacantes que tengo guardadas => list jobs status=saved
¿Sería tan amable de mostrarme los datos del puesto en Repsol? => lookup jobs *~Repsol
ponme los trabajos que tengo en zaragoza => list jobs location~zaragoza
pásame el teléfono de Begoña Arrieta porfa => lookup contacts *~Begoña Arrieta
¿Cuántas solicitudes he mandado esta semana? => count jobs status>=applied status@this_week
en cuáles estoy haciendo entrevistas ahora mismo => list jobs status=interviewing
cuánto pagaban en lo de Mercadona => lookup jobs *~Mercadona
mis currículums => list documents kind=resume
cuantas cartas de presentación tengo subidas => count documents kind=cover_letter
cuándo me apunté a lo de Iberdrola? => lookup jobs *~Iberdrola
qué empresas me dijeron que no el mes pasado => list companies status=rejected status@last_month
trabajos en remoto de 30000 para arriba => list jobs remote_type=remote salary_min>=30000
¿En qué empresa está Rodrigo Palacín? => lookup contacts *~Rodrigo Palacín
cuántos puestos de soldador llevo anotados => count jobs title~soldador
los 6 últimos empleos que metí => list jobs by created_at desc limit 6
¿me ha rechazado Zara? => count jobs company~Zara status=rejected
a quién conozco en Telefónica => list contacts company~Telefónica
híbridos en bilbao, gracias guapa => list jobs location~bilbao remote_type=hybrid
de cuántos procesos me he retirado => count jobs status=withdrawn
Qué puestos añadí ayer => list jobs created_at@yesterday
cómo va lo de Seat => lookup jobs *~Seat
Número de contactos, por favor. => count contacts
ordéname los trabajos por sueldo, de más a menos => list jobs by salary_min desc
cuántas empresas distintas tengo en el listado => count companies
en abril cuántas candidaturas eché? => count jobs status>=applied status@april
en qué ciudad era el puesto de recepcionista => lookup jobs *~recepcionista
tienes por ahí el correo de Nuria Cebrián => lookup contacts *~Nuria Cebrián
Necesito ver todos los documentos que tengo. => list documents
cuántos presenciales tengo en Málaga => count jobs location~Málaga remote_type=onsite
"""

MODEL = """
Trader Joe's rejected me
got an offer from Halliburton this morning
I applied to Zillow today
move all my saved jobs in Leeds to applied
the Patagonia job, mark it as rejected
mark Lockheed as withdrawn please
put the welder job under interviewing
Kwame Boateng's number is 0161 555 0182
change the salary on the Amazon job to 82k
delete every job I added last month
add a contact at Deloitte, Priya Nair, recruiter
note on Zillow: they want a portfolio
list the Deloitte job as remote
show the Royal Mail job as applied from now on
count me out of the Patagonia one
that electrician job in Omaha is hybrid, not onsite
Siobhan Kearney moved to KPMG
interviewing with Lockheed now
withdrawn from Zillow
two new rejections today, Amazon and Trader Joe's
saved jobs older than a month can go
Why do I keep getting rejected this month?
how many jobs should I apply to each week
which of my saved jobs should I apply to first
how many rejections is normal before an offer
Is 70k a good salary in Omaha?
which jobs on my list suit me best
Did I apply to more jobs this month than last month?
which is better paid, Zillow or Amazon
How does the Halliburton offer stack up against the Lockheed one?
how many more jobs have I saved than applied to
if Zillow hasn't replied by Friday, mark it rejected
show me the Amazon job and change it to interviewing
how many jobs did I add this week and how many of them are in Leeds
list my remote jobs and draft a cover letter for the first one
count my rejections then delete them
What are my jobs that aren't remote and aren't in London?
jobs I've applied to but never got any answer from in over three weeks
everything except the rejected and withdrawn ones
companies where I don't have a contact yet
how many jobs don't have a salary listed
all my contacts apart from the recruiters
has my visa application been rejected
how many universities did I apply to
when did I apply for my student loan
list the companies that are laying people off this month
how many employees does Halliburton have
who is the CEO of Patagonia
where is Lockheed headquartered
how much do welders make in Texas
what's the starting salary for nurses in Cardiff
how many jobs has my brother applied to
which job did Siobhan apply for
show me the jobs my husband saved
how many jobs did you say I had earlier
list them again but shorter
what was the first company you told me about
didn't you just say I had four interviews?
How many offers would I have if Zillow had said yes?
suppose I withdrew from Amazon, what would be left
If I applied to all my saved jobs, how long would it take
What do you think of my remote jobs?
is Trader Joe's a good company to work for
I want to apply at Patagonia
planning to withdraw from Lockheed next week
thinking of applying to a few jobs in Manchester tomorrow
I'm going to accept the Deloitte offer I think
remind me to call Siobhan Kearney on Thursday
let me know when a week has passed since I applied to Zillow
ping me about the Royal Mail job tomorrow
write to Kwame Boateng and ask where my application stands
Draft an email to Deloitte listing my experience.
can you do me a cover letter for the welder job
thank-you note for the Zillow interview
how many is that in euros
what about the other one
when was it
and her email?
which of those two did I mean
the last one, where is it
how do I see my rejected jobs
Where do I upload documents?
can I have more than 100 contacts in here
what does the status withdrawn mean
who can see my saved jobs
another rejection today, I'm so done
an offer at last, I can't believe it!
my list of jobs is longer than my arm haha
applied applied applied and nothing
find me new remote marketing jobs
how many openings does Amazon have in Leeds
look up reviews of Trader Joe's for me
what questions will they ask at the Lockheed interview
what share of my applications got rejected
which city has the most of my jobs
list the skills the Zillow job asks for that my resume doesn't show
how many pages should my resume be
how many kilometres is it from my flat to the Royal Mail job
got rejected by Ocado this morning
had a second interview at Lidl yesterday, went ok
put the Rolls-Royce one under saved
Deloitte's recruiter is now Hannah Voss
I've applied to three more jobs in Leeds today
that makes five rejections this week
mark every job I saved last month as withdrawn
how many jobs should I be applying to each week
which of my applications has been waiting the longest
what share of the jobs I saved did I actually apply to
the average pay of my hybrid jobs
Do I have more rejections than interviews?
jobs that are neither in London nor in Leeds
everything apart from the rejected ones
applications where I haven't added a cover letter
how many applications has my brother sent
list my sister's interviews
how many visa applications can I have open at once
when did I apply for university housing
show me the applications installed on my phone
how many credit card applications hurt your score
how many employees does Ocado have
when was Lidl founded
who is the CEO of Deloitte
which jobs does Rolls-Royce have open at the moment
how many nurses are hired in the UK every year
list companies in Leeds that sponsor visas
should I accept the offer from Tesco
why was I rejected by Tesco
how come I've only got two interviews
if I'd applied to Ocado in March, would they have answered by now?
the second one you just listed, is it far from a station
what was that number again
how do I list my saved jobs
where do I click to see rejected jobs
Write a short email asking Lidl about the status of my application.
remind me on Friday to check the jobs I saved
how do you say 'I applied last week' in German
morning! what a week, eh
will I get an offer from Rolls-Royce
no, I meant the other Deloitte one
show me my saved jobs and delete the ones in Cork
how many contacts do I have, and add Tamsin Boyle
which company rejected me the most
what's my busiest month for applications
which city do most of my jobs come from
is Ocado paying more than Lidl
count how many times my cover letter says 'passionate'
show interviews I have scheduled for tomorrow
when's my next interview
who's interviewing me at Tesco on Monday
what do I wear to the Deloitte interview
list questions they might ask at the lab assistant interview
Jobs I'd be a good fit for, please.
find me warehouse jobs in Leeds
are there any remote jobs for electricians
I want to have ten applications out by Friday
planning on applying to every hybrid job in Manchester
wish I had more offers
my list of saved jobs is getting out of hand
count me in for the Lidl interview
save the list of companies I gave you
I listed Priya Nandakumar as a reference at Tesco
you listed the wrong job, Lidl said no last week
only Ocado ever wrote back
just tell me if the Cork job is still open
how long does Rolls-Royce take to reply
how many days between my applying and the Tesco rejection
how many stages are there in the Deloitte interview
how many words should a cover letter be
what is the highest salary Lidl pays a store manager
number of jobs lost in retail last month
how many people were interviewed for the Ocado position
did the Tesco recruiter read my application
which resume got me the most interviews
which contacts work at companies that rejected me
companies where I know someone but have no job saved
do I have jobs with a shorter commute than the Leeds one
list jobs with a four-day week
jobs that pay about the same as my current one
when I get an offer, show me the rejected ones
If Tesco rejected me, move it to the archive.
in case Lidl calls, what do I say about salary
unless I've already applied, apply to Ocado for me
tell Tamsin Boyle I've got two offers
Priya Nandakumar's email has changed to priya@nandak.example
forget the Manchester job, I withdrew
turns out the lab assistant thing is in Bristol, not Bath
accepted!!! the Rolls-Royce offer
the one from Leeds, they bumped it up to 60k
two saved, one applied, none interviewing, that was my day
how many did I say I'd send this week
what did Dr. Okafor tell me on the phone
when will Tesco let me know
when should I follow up on the lab assistant application
by when do I have to answer the offer
how would you rank my saved jobs
sort out my cover letter, it's a mess
order my jobs by distance from home
show me jobs similar to the one at Rolls-Royce
what's missing from my resume for the nurse job
read me the job description and tell me if it's a scam
summarise my job search so far in a paragraph
chart of my applications per week
export my list of contacts to excel
is there a limit to how many jobs you can list at once
does the tracker count withdrawn jobs as rejected
what does 'interviewing' mean in here
why does it show 12 saved jobs when I only have 9
How many jobs can I save on the free plan?
can my recruiter see my saved jobs
my flatmate got an offer from Deloitte last month
how many offers do people normally get
is three rejections in a week a lot
am I the only one applied to forty places with no reply
not a single interview this month, I'm done
so many rejected applications, so little time lol
Let's go through my saved jobs one by one and decide.
undo that, I hadn't applied to Lidl
Rossmann hat abgesagt
Zusage von Trumpf bekommen!
hab mich heute bei Bosch beworben
Setz die Telekom bitte auf abgelehnt
den Job bei Jungheinrich kannst du löschen
Schieb alle gemerkten Stellen in Augsburg auf beworben
die Lokführerstelle bitte als zurückgezogen eintragen
Trag Jannik Petersen als Kontakt bei Siemens ein
Frau Özdemirs Nummer ist jetzt 0821 445566
Gehalt bei Hapag-Lloyd auf 58000 ändern
neue stelle: Erzieher in Rostock, Kita Sonnenschein
Notiz zu Bosch: Rückruf ab Dienstag
bei der Sparkasse bin ich raus
Siemens hat mich zum Gespräch eingeladen
Liste die Stelle bei Trumpf ab jetzt als hybrid
Zähl die Sparkasse nicht mehr zu den Bewerbungen
Zeig die Bosch-Stelle bitte künftig als remote an
Alle Absagen vom letzten Monat weg damit
heute zwei Absagen, Telekom und Rossmann
Jungheinrich sitzt in Hamburg, nicht in Kiel
Das Angebot von Trumpf hab ich angenommen
Bewerbung an Hapag-Lloyd ist raus
Dr. Landgraf arbeitet nicht mehr bei Siemens
Warum bekomme ich so viele Absagen?
Wie viele Bewerbungen pro Woche sind sinnvoll?
Welche gemerkte Stelle soll ich mir zuerst vornehmen?
Wie viele Seiten darf ein Anschreiben haben?
Wann sollte ich bei der Telekom nachhaken?
Welcher Job aus meiner Liste passt am besten zu mir?
welche stelle ist besser bezahlt, Bosch oder Trumpf
Habe ich diesen Monat mehr Absagen als letzten Monat?
Vergleich mal die Jobs in Kiel mit denen in Rostock
Wie viel mehr zahlt Siemens als die Sparkasse?
Wenn Rossmann bis Freitag nichts schickt, setz es auf abgelehnt
Falls ich schon bei Bosch beworben bin, lösch den doppelten Eintrag
zeig mir die Jobs in Kiel und lösch die abgelehnten
Wie viele Stellen hab ich und was soll ich als Nächstes tun?
Such mir die Nummer von Jannik raus und schreib ihm
Alle Bewerbungen der letzten Woche auflisten und eine Mail ans Amt schreiben
Welche Jobs sind weder remote noch in Berlin?
Alles außer den Absagen
Stellen ohne Gehaltsangabe
Bei welchen Firmen habe ich noch keinen Kontakt?
Wie viele Firmen haben sich seit drei Wochen nicht gemeldet?
Alle Jobs bis auf die von Bosch
wurde mein Visum abgelehnt
Wie ist der Stand bei meinem Kreditantrag?
An wie vielen Unis habe ich mich beworben?
Wann hab ich das Wohngeld beantragt
Wie viele Wohnungen haben mir schon abgesagt, 12 oder?
Wie viele Mitarbeiter hat Trumpf?
Wo sitzt Jungheinrich eigentlich, als Firma mein ich, die Zentrale
Wer ist Chef bei Siemens?
Seit wann gibt es Rossmann?
Was verdient ein Lokführer im Schnitt?
Wie viel zahlt man Erziehern in Bayern?
Wo hat sich meine Schwester beworben?
wie viele jobs hat mein kumpel gespeichert
Welche Stelle hat Jannik Petersen bekommen?
Wie viele Stellen hattest du vorhin genannt?
Zeig das nochmal, aber kürzer
Welche Firma war das, von der wir gestern geredet haben?
du hattest doch gesagt, es sind nur drei absagen
Was wäre, wenn ich bei Trumpf zurückziehe?
Wie viele Angebote hätte ich, wenn Bosch zugesagt hätte?
angenommen ich nehme nur remote, was bliebe mir dann
Wie findest du meine Jobs in Augsburg?
Ist Hapag-Lloyd ein guter Arbeitgeber?
sind 14 gemerkte stellen zu viel
Ich will mich bei Rossmann bewerben
Morgen bewerbe ich mich bei der Sparkasse
ich überlege, meine Bewerbung bei Siemens zurückzuziehen
Hab vor, diese Woche noch fünf Bewerbungen zu schicken
Erinner mich am Montag an die Telekom
Sag mir Bescheid, wenn die Bewerbung bei Bosch zwei Wochen her ist
Am Donnerstag Frau Özdemir anrufen, nicht vergessen lassen
Schreib Frau Dr. Landgraf, dass ich Interesse habe
anschreiben für die stelle als grafikdesigner bitte
Eine höfliche Nachfrage zum Stand meiner Bewerbung bei Trumpf formulieren
Mail an Jungheinrich, ich ziehe meine Bewerbung zurück
und die andere?
wann war das
wie heißt der da nochmal
Wie viele davon sind hybrid?
die letzte, wo ist die
Wo sehe ich meine Absagen?
Wie sortiere ich die Jobs nach Gehalt?
Wie viele Dokumente kann man hier hochladen?
Was heißt der Status „zurückgezogen“?
Kann jemand anderes meine Kontakte sehen?
schon wieder eine Absage, ich mag nicht mehr
endlich ein angebot, juhu
Bewerbungen, Bewerbungen, nichts als Bewerbungen
meine Jobliste ist länger als mein Einkaufszettel
Such neue Stellen als Buchhalter in Kiel
Wie viele offene Stellen hat Bosch gerade in Stuttgart?
Wie hoch ist meine Absagequote?
In welcher Stadt habe ich die meisten Stellen?
Wie lange fahre ich zu der Stelle in Augsburg?
Welche Fragen kommen wohl beim Gespräch mit Siemens?
Bosch hat heute abgesagt
hatte gestern das Gespräch bei Siemens
setz die Stelle in Kassel auf gemerkt
Ansprechpartnerin bei Kärcher ist jetzt Frau Lindgren
hab mich eben bei drei Firmen in Kassel beworben
damit sind es schon sieben Absagen
Trag bitte alle gemerkten Stellen als zurückgezogen ein.
wie viele Bewerbungen pro Woche sind sinnvoll
welche Bewerbung liegt am längsten unbeantwortet
wie hoch ist der Anteil der Absagen
Durchschnittsgehalt meiner Homeoffice-Stellen
hab ich mehr Absagen als Gespräche?
Stellen, die weder in München noch in Kassel sind
alle Jobs außer denen von Bosch
Bewerbungen ohne Anschreiben
wie viele Bewerbungen hat mein Bruder verschickt
zeig die Absagen von meiner Freundin
wann wird mein Visumsantrag bearbeitet
Stand meiner Bewerbung um den Studienplatz
wie viele Anträge auf Wohngeld laufen bei mir
Bewerbungen für die WG in Leipzig auflisten
welche Anwendungen laufen auf meinem Handy
wie viele Kreditanfragen darf ich stellen
Wie viele Mitarbeiter hat Kärcher?
wann wurde Bosch gegründet
wer ist Chef von der Telekom
welche Stellen hat Siemens gerade ausgeschrieben
wie viele offene Stellen gibt es in Kassel
welche Firmen in München stellen Quereinsteiger ein
Soll ich das Angebot von Bosch annehmen?
warum hat mir die Telekom abgesagt
wieso krieg ich nur Absagen
was wäre, wenn ich mich im Mai beworben hätte
die zweite aus der Liste, ist die befristet
und wie viele waren das nochmal
wie lasse ich mir meine Stellen anzeigen
wo sehe ich in der App die Absagen
Schreib Frau Wieczorek, dass ich mich letzte Woche beworben habe.
erinner mich morgen an die Bewerbung bei Kärcher
was heißt gemerkte Stellen auf Englisch
na, wie läuft's bei dir so
bekomme ich von Siemens ein Angebot
nein, ich meinte die andere Stelle bei Bosch
zeig mir die Absagen und lösch sie dann
wie viele Kontakte hab ich und leg Annegret Lohse neu an
welche Firma hat mir am häufigsten abgesagt
in welchem Monat hab ich die meisten Bewerbungen geschrieben
aus welcher Stadt sind die meisten meiner Stellen
zahlt Siemens mehr als Bosch
wie oft steht teamfähig in meinem Anschreiben
Wann ist mein nächstes Vorstellungsgespräch?
welche Gespräche hab ich nächste Woche
wer sitzt bei Kärcher mit im Gespräch
was zieh ich zum Gespräch bei der Stadtsparkasse an
zähl mir Fragen auf, die im Gespräch kommen könnten
welche Stellen passen zu mir
such mir Stellen als Erzieherin in Kassel
gibt es Homeoffice-Jobs für Logistikleiter
bis Freitag will ich zehn Bewerbungen draußen haben
ich hab vor, mich bei allen Firmen in München zu bewerben
hätte ich doch bloß mehr Angebote
meine Liste der gemerkten Stellen wird immer länger
auf die Liste der Firmen kommt noch Miele
in meinem Lebenslauf zähle ich alle Stellen auf
du hast die falsche Stelle angezeigt, Bosch war schon im April raus
nur die Telekom hat sich gemeldet
ist die Stelle in Kassel noch frei
wie lange braucht Siemens für eine Antwort
wie viele Tage lagen zwischen Bewerbung und Absage bei der Telekom
wie viele Runden gibt es bei Bosch im Bewerbungsverfahren
wie viele Seiten darf ein Lebenslauf haben
was verdient man als Erzieherin in München
wie viele haben sich außer mir auf die Stelle beworben
hat Herr Özdemir meine Bewerbung gelesen
mit welchem Lebenslauf hatte ich die meisten Einladungen
welche Kontakte arbeiten bei Firmen, die mir abgesagt haben
Firmen, bei denen ich niemanden kenne
Stellen mit kürzerem Weg als Kassel
Jobs mit Viertagewoche zeigen
stellen, die ungefähr so viel zahlen wie mein jetziger job
falls Bosch absagt, verschieb es ins Archiv
wenn ich ein Angebot habe, zeig mir die übrigen Stellen
Sofern ich mich noch nicht beworben habe, mach das bitte für mich.
sag Annegret Lohse, dass ich zwei Angebote habe
die Nummer von Herrn Özdemir stimmt nicht mehr, neu ist 0151 000111
Kärcher kannst du streichen, da hab ich zurückgezogen
die Logistikleiter-Stelle ist doch in Fulda statt in Kassel
zugesagt!! bei der Stadtsparkasse
die bei Siemens gehen jetzt auf 58.000 hoch
zwei gemerkt, eine beworben, keine Zusage, das war mein Montag
wie viele wollte ich diese Woche schaffen
wann meldet sich die Telekom endlich
ab wann darf ich bei Bosch nachhaken
Bis wann muss ich auf das Angebot antworten?
bewerte meine gemerkten Stellen von gut bis schlecht
Stellen nach Entfernung sortiert
zeig mir ähnliche Stellen wie die bei der Stadtsparkasse
was fehlt in meinem Lebenslauf für die Stelle als Logistikleiter
fass meine Jobsuche in drei Sätzen zusammen
Diagramm der Bewerbungen pro Woche
exportier die Kontaktliste als CSV
gibt es eine Grenze, wie viele Stellen du auflisten kannst
zählen zurückgezogene Bewerbungen als Absage
was bedeutet der Status Gespräch
warum stehen da 14 Stellen, ich hab doch bloß 11
wie viele Stellen passen in die Gratisversion
kann Siemens sehen, welche Stellen ich gemerkt habe
meine Kollegin hat letzten Monat ein Angebot von Bosch bekommen
wie viele Absagen sind normal
sind drei Absagen in einer Woche viel
schon wieder kein einziges Gespräch diesen Monat, ich mag nicht mehr
vor lauter Bewerbungen seh ich den Wald nicht mehr
gehen wir die gemerkten Stellen mal der Reihe nach durch und entscheiden
mach das rückgängig, bei Kärcher hab ich mich gar nicht beworben
Lebenslauf bitte umbenennen in Lebenslauf 2
wer von Siemens hat damals mein Zeugnis unterschrieben
entweder Bosch oder Siemens, beide haben mich eingeladen
nicht Kassel, Kiel!
die Absage von der Telekom war echt nett formuliert
vergleich mal das Angebot von Bosch mit dem von Siemens
Decathlon m'a refusé
j'ai eu une offre de Michelin !
j'ai postulé chez Thales aujourd'hui
passe Carrefour en refusé
le poste chez Ubisoft, supprime-le
Mets toutes mes offres de Brest en candidature envoyée
Airbus me propose un entretien
le numéro de Yacine Belkacem c'est le 06 12 00 45 78
ajoute Maëlle Guivarch dans mes contacts, elle est chez Airbus
Change le salaire du poste de soudeur, c'est 31 000
note pour Blablacar : rappeler après le 15
Le poste à Nancy, note-le en hybride
je me retire chez la Poste
affiche désormais le poste de Thales comme accepté
compte Carrefour parmi les refus
candidature envoyée chez Ubisoft
deux refus aujourd'hui : Decathlon et la Poste
Vire-moi toutes les candidatures refusées du mois dernier
Mme Rakotomalala a quitté Michelin
nouveau poste : comptable à Clermont-Ferrand, 34k, chez Limagrain
liste le poste Blablacar en télétravail, pas sur site
Chez Thales je suis passé en entretien
le poste d'infirmière, c'est mort
Pourquoi j'ai autant de refus ce mois-ci ?
Combien de candidatures faut-il envoyer par semaine ?
À quel poste devrais-je postuler en premier ?
quand est-ce que je devrais relancer la Poste
Combien de pages pour un CV ?
quel CV utiliser pour le poste chez Ubisoft
Quelle offre est la mieux payée entre Thales et Airbus ?
est-ce que j'ai plus de refus que le mois dernier
Compare mes postes à Brest et à Nancy
De combien Michelin paie plus que Carrefour ?
si Decathlon répond pas d'ici vendredi mets-le en refusé
Si j'ai déjà postulé chez Airbus, retire le doublon
montre le poste de graphiste et passe-le en postulé
Combien de postes j'ai à Brest et lesquels valent le coup ?
trouve le mail de Yacine et envoie-lui mon CV
Compte mes refus puis efface-les
les postes qui ne sont ni à Paris ni en télétravail
tout sauf les refus
Dans quelles entreprises je n'ai aucun contact ?
Combien de mes postes n'ont pas de salaire indiqué ?
celles qui ne m'ont jamais répondu depuis plus d'un mois
Mes contacts, à part les recruteurs
ma demande de visa a été refusée ?
Où en est mon dossier de prêt ?
combien de vœux j'ai mis sur Parcoursup
À combien d'universités ai-je candidaté ?
quand est-ce que j'ai fait ma demande d'APL
Combien de salariés chez Michelin ?
c'est où le siège de Decathlon
Qui dirige Thales ?
Quand Ubisoft a-t-il été créé ?
combien gagne une infirmière à Brest en moyenne
Quel est le salaire d'un soudeur débutant ?
Combien de candidatures a envoyées ma sœur ?
quel poste il a eu Yacine finalement
les offres que mon copain a enregistrées
tu m'avais dit combien de postes tout à l'heure ?
Redonne-moi cette liste en plus court
C'était quoi la première entreprise dont on a parlé ?
mais t'as pas dit que j'avais trois entretiens ?
Et si je retirais ma candidature chez Airbus, il me resterait quoi ?
Combien d'offres j'aurais si Thales avait dit oui ?
imaginons que je refuse tout ce qui est sur site
Tu penses quoi de mes postes à Nancy ?
Blablacar, c'est une bonne boîte ?
vingt postes sauvegardés c'est trop non
je veux postuler chez Michelin
Demain je candidate chez Carrefour
je pense retirer ma candidature chez la Poste
Je compte postuler à cinq offres cette semaine
rappelle-moi de relancer Mme Rakotomalala jeudi
Préviens-moi quand ça fera deux semaines que j'ai postulé chez Thales
fais-moi penser à l'entretien Airbus lundi
Écris à Maëlle Guivarch pour savoir où en est ma candidature
une lettre de motivation pour le poste de graphiste svp
Rédige un mail de remerciement après mon entretien chez Ubisoft
un message pour dire à Decathlon que je me retire
et l'autre ?
c'était quand déjà
combien parmi ceux-là sont en télétravail
son mail ?
le dernier, il est où
Où est-ce que je vois mes refus ?
Comment trier mes offres par salaire ?
on peut mettre combien de documents ici
Ça veut dire quoi le statut retiré ?
Qui peut voir mes contacts ?
encore un refus, j'en peux plus
enfin une offre, je suis trop contente
Postuler, postuler, j'ai l'impression de ne faire que ça
ma liste de candidatures est plus longue que ma liste de courses
cherche-moi de nouvelles offres de comptable à Nancy
Combien de postes Thales a-t-il ouverts en ce moment ?
quel est mon taux de refus
Dans quelle ville j'ai le plus de postes ?
Quelles questions vont-ils poser à l'entretien chez Michelin ?
combien de temps de trajet jusqu'au poste de Clermont-Ferrand
Michelin m'a refusé ce matin
j'ai passé un entretien chez Thales hier
mets le poste de Nantes dans les enregistrés
la recruteuse de Decathlon c'est maintenant Maud Ferrand
je viens de postuler à trois offres sur Lyon
ça me fait six refus cette semaine
Passez toutes les candidatures de février en désistement.
combien de candidatures faut-il envoyer par semaine
quelle candidature attend une réponse depuis le plus longtemps
quel pourcentage de mes candidatures finit en refus
le salaire moyen de mes postes hybrides
est-ce que j'ai plus de refus que d'entretiens
les postes qui ne sont ni à Paris ni à Lyon
toutes mes candidatures sauf celle de Thales
celles où je n'ai pas joint de lettre de motivation
combien de candidatures mon frère a envoyées
la liste des entretiens de ma copine
où en est ma demande de visa
mon dossier de prêt immobilier, il en est où ?
quand est-ce que j'ai déposé ma demande de logement étudiant
affiche les applications installées sur mon téléphone
combien de demandes de crédit on peut faire en même temps
Combien de salariés compte Michelin ?
Decathlon a été créé quand
qui dirige Airbus
quels postes Thales propose en ce moment
combien d'infirmières on recrute par an en France
liste des entreprises nantaises qui embauchent
Dois-je accepter l'offre de Carrefour ?
pourquoi la Fnac m'a refusé
comment ça se fait que j'aie si peu d'entretiens
et si j'avais postulé chez Airbus en février ?
la deuxième que tu m'as montrée, c'est un CDI ?
tu disais combien déjà
comment je fais pour voir mes postes enregistrés
on clique où pour afficher les refus
Rédige un mail à Mme Kerbrat pour savoir où en est ma candidature.
rappelle-moi jeudi de relancer Decathlon
comment on dit « candidatures envoyées » en anglais
coucou, bien dormi ?
est-ce que je vais avoir une offre de Thales
non, je parlais de l'autre poste chez Michelin
montre-moi mes refus puis supprime-les
combien j'ai de contacts, et ajoute Yannick Toussaint au passage
quelle entreprise m'a refusé le plus souvent
le mois où j'ai le plus postulé
dans quelle ville j'ai le plus de postes
Airbus paie mieux que Thales ou pas
combien de fois le mot rigueur apparaît dans ma lettre de motivation
c'est quand mon prochain entretien
mes entretiens de la semaine prochaine
qui me reçoit chez Carrefour mardi
je m'habille comment pour l'entretien chez la Fnac
donne-moi la liste des questions qu'on pose à un chef de rayon
quels postes me correspondraient
trouve-moi des offres d'infirmière à Lille
y a-t-il des postes de chef de rayon en télétravail
je voudrais avoir dix candidatures parties d'ici vendredi
je compte postuler à tous les postes hybrides de Lyon
si seulement j'avais plus d'offres
ma liste d'annonces enregistrées n'en finit plus
rajoute Renault à la liste des entreprises
j'ai cité Solène Marchadier parmi mes références
tu t'es trompé de poste, Michelin c'était en janvier
il n'y a que Decathlon qui m'a répondu
le poste de Nantes est toujours ouvert ou pas
combien de temps Airbus met à répondre
combien de jours se sont écoulés entre ma candidature et le refus de la Fnac
combien de tours d'entretien y a-t-il chez Thales
un CV doit faire combien de pages
combien gagne un chef de rayon à Lyon
on est combien à avoir postulé chez Michelin
Yannick Toussaint a-t-il lu ma candidature ?
avec quel CV j'ai décroché le plus d'entretiens
mes contacts dans les boîtes qui m'ont refusé
les entreprises où je ne connais personne
des postes avec moins de trajet que celui de Nantes
les postes avec tickets resto
ceux qui paient à peu près comme mon job actuel
si Carrefour dit non, archive le poste
quand j'aurai une offre, montre-moi les autres
À moins que j'aie déjà postulé, envoie ma candidature à Airbus.
dis à Solène Marchadier que j'ai deux offres
le numéro de Mme Kerbrat a changé, c'est le 06 00 00 00 12
laisse tomber Decathlon, je me suis désisté
finalement le poste de chef de rayon est à Rennes et pas à Lille
ça y est, j'ai accepté l'offre de Thales !
la Fnac est montée à 38000
deux enregistrés, un envoyé, zéro entretien, voilà ma journée
combien j'avais prévu d'en envoyer cette semaine
quand est-ce que Carrefour va me rappeler
à partir de quand je peux relancer Michelin
j'ai jusqu'à quand pour répondre à l'offre
classe mes postes du plus intéressant au plus nul
mes postes triés par distance de chez moi
montre des postes qui ressemblent à celui de Decathlon
qu'est-ce qui manque à mon CV pour le poste d'infirmière
résume ma recherche d'emploi en quelques lignes
un graphique des candidatures par semaine
exporte la liste de mes contacts en PDF
tu sais lister les postes ?
est-ce qu'un désistement compte comme un refus
ça veut dire quoi le statut entretien
pourquoi ça affiche 15 postes alors que j'en ai 12
combien de postes on peut enregistrer avec la version gratuite
est-ce que mon patron peut voir mes candidatures
ma voisine a eu une offre d'Airbus le mois dernier
combien de refus avant un oui en général
quatre refus en une semaine, c'est beaucoup ?
aucun entretien ce mois-ci, j'en peux plus
On reprend mes postes enregistrés un par un et on décide ensemble ?
annule, je n'ai jamais postulé chez Carrefour
renomme mon CV en CV 2025
pas Lille, Lyon
le refus de Thales était plutôt gentil
compare l'offre de la Fnac à celle de Carrefour
traduis ma lettre de motivation en espagnol
soit Airbus soit Thales, les deux m'ont convoqué
faudrait que je fasse le tri dans mes contacts
Mercadona me rechazó
¡me llegó una oferta de Iberdrola!
hoy apliqué a Globant
pon Inditex como rechazado
el puesto de Rappi bórralo
Pasa todos los guardados de Zaragoza a postulado
Telefónica me llamó para entrevista
el cel de Nahuel Quiroga es 341 555 0199
agrega a Ximena Arriaga como contacto de Bimbo
Cambia el sueldo del de soldador a 22.000
anota en Repsol que piden inglés alto
el de Guadalajara ponlo como híbrido
me retiro de lo de Bimbo
muestra desde ahora el puesto de Globant como aceptado
cuenta lo de Inditex como rechazo
candidatura enviada a Repsol
dos rechazos hoy, Mercadona y Rappi
Quita de la lista las rechazadas del mes pasado
la licenciada Olmedo ya no está en Telefónica
nuevo puesto: contador en Rosario, Arcor, presencial
lista el de Iberdrola como remoto, no presencial
Con Globant ya estoy en entrevistas
lo de enfermera ya no va, descártalo
¿Por qué me rechazan tanto este mes?
¿Cuántas postulaciones conviene mandar por semana?
a cuál de los guardados debería postularme primero
cuándo debería escribirle otra vez a Bimbo
¿Cuántas páginas tiene que tener un currículum?
qué currículum me conviene para lo de Globant
¿Cuál paga mejor, Repsol o Iberdrola?
llevo más rechazos que el mes pasado?
Compárame los puestos de Zaragoza con los de Guadalajara
¿Cuánto más paga Telefónica que Mercadona?
si Rappi no contesta antes del viernes, márcalo como rechazado
Si ya me postulé a Repsol, elimina el repetido
muéstrame el de soldador y pásalo a entrevista
¿Cuántos puestos tengo en Rosario y cuál me recomiendas?
busca el correo de Ximena y mándale mi currículum
Cuenta mis rechazos y luego bórralos
los que no sean ni remotos ni de Madrid
todo menos los rechazados
¿En qué empresas no tengo ningún contacto?
cuántos de mis puestos no tienen sueldo puesto
las que llevan más de tres semanas sin responderme
Mis contactos, quitando a los reclutadores
me rechazaron la visa o sigue en trámite?
¿Cómo va mi solicitud de hipoteca?
a cuántas universidades apliqué
¿Cuándo pedí la beca?
cuántos pisos he visto este mes para alquilar
¿Cuántos empleados tiene Inditex?
dónde queda la sede de Repsol
¿Quién es el dueño de Mercadona?
En qué año se fundó Bimbo
cuánto gana una enfermera en Rosario
¿Cuál es el sueldo promedio de un soldador?
¿A cuántos trabajos se ha postulado mi hermano?
qué puesto le dieron a Nahuel
los trabajos que guardó mi novia
cuántos me dijiste hace rato que tenía
Repíteme la lista pero más corta
¿Cuál fue la primera empresa que me mencionaste?
no que tenía tres entrevistas, según tú?
¿Y si me retirara de Iberdrola, qué me quedaría?
¿Cuántas ofertas tendría si Globant me hubiera dicho que sí?
supongamos que solo acepto remoto
¿Qué te parecen mis puestos en Guadalajara?
Rappi es buena empresa para trabajar?
veinte guardados son muchos, ¿no?
quiero postularme en Telefónica
Mañana aplico a Mercadona
estoy pensando en retirarme de Repsol
Pienso mandar cinco candidaturas esta semana
recuérdame llamar a la licenciada Olmedo el jueves
Avísame cuando se cumplan dos semanas de lo de Bimbo
que no se me pase la entrevista con Globant el lunes
Escríbele a Ximena Arriaga para preguntarle cómo va mi proceso
una carta de presentación para el puesto de contador porfa
Redacta un correo agradeciendo la entrevista en Iberdrola
un mensaje para decirle a Inditex que me retiro
¿y el otro?
cuándo fue eso
cuántos de esos son híbridos
su correo?
el último, dónde está
¿Dónde veo mis rechazos?
Cómo ordeno los puestos por sueldo en la app
cuántos documentos se pueden subir aquí
¿Qué significa el estado retirado?
¿Quién puede ver mis contactos?
otro rechazo más, ya no doy
por fin una oferta, qué alegría
postular, postular y postular, así se me va la vida
mi lista de trabajos ya parece lista del súper
búscame nuevas vacantes de contador en Guadalajara
¿Cuántas vacantes tiene abiertas Iberdrola ahora mismo?
cuál es mi porcentaje de rechazos
¿En qué ciudad tengo más puestos?
¿Qué me van a preguntar en la entrevista de Telefónica?
cuánto se tarda en llegar al puesto de Zaragoza
me acaba de rechazar Repsol
ayer tuve la entrevista en Mercadona
pon lo de Zaragoza en guardados
la reclutadora de Seat ahora es Irene Moll
he echado tres currículums más en Bilbao
con esta ya van ocho negativas
Marque como retiradas todas las solicitudes de abril.
cuántas candidaturas conviene mandar a la semana
qué solicitud lleva más tiempo sin respuesta
qué porcentaje de mis solicitudes acaba en entrevista
el sueldo medio de mis trabajos híbridos
¿tengo más rechazos que entrevistas?
los que no sean ni de Madrid ni de Bilbao
todos menos los rechazados
solicitudes en las que no adjunté carta de presentación
cuántas solicitudes ha mandado mi hermano
enséñame las entrevistas de mi novia
cómo va mi solicitud de visado
en qué estado está mi hipoteca
cuándo eché la solicitud de la universidad
cuántas becas he solicitado este año
muéstrame las aplicaciones que tengo en el móvil
cuántas solicitudes de crédito puedo tener a la vez
¿Cuántos empleados tiene Iberdrola?
en qué año se fundó Seat
quién es el presidente de Telefónica
qué puestos ofrece Mercadona ahora
cuántos soldadores hacen falta en España
lista de empresas de Zaragoza que contratan sin experiencia
¿Acepto la oferta de Repsol?
por qué me rechazó Zara
cómo es que tengo tan pocas entrevistas
si hubiera aplicado a Seat en abril, ¿me habrían cogido?
la segunda que me enseñaste, ¿es indefinida?
cuántas decías que eran
cómo hago para ver los trabajos guardados
dónde le doy para que salgan los rechazados
Redacta un correo a Begoña Arrieta preguntando cómo va mi candidatura.
recuérdame el lunes lo de Iberdrola
cómo se dice solicitudes enviadas en inglés
buenas, qué tal el finde
¿me harán una oferta en Telefónica?
no, me refería al otro puesto de Seat
enséñame los rechazados y bórralos
cuántos contactos tengo y de paso añade a Nuria Cebrián
qué empresa me ha rechazado más veces
el mes en que más solicitudes mandé
en qué ciudad tengo más trabajos guardados
¿paga más Repsol que Iberdrola?
cuántas veces sale la palabra liderazgo en mi carta
cuándo es mi próxima entrevista
las entrevistas que tengo la semana que viene
quién me entrevista el martes en Zara
qué me pongo para la entrevista de Mercadona
dame una lista de preguntas típicas para recepcionista
qué puestos me pegarían
búscame trabajos de soldador en Málaga
quiero tener diez solicitudes enviadas para el viernes
pienso apuntarme a todos los híbridos de Bilbao
ojalá tuviera más ofertas
mi lista de guardados ya no hay quien la mire
a la lista de empresas súmale Inditex
puse a Rodrigo Palacín como referencia
me has enseñado el que no es, Repsol fue en enero
solo me contestó Telefónica
cuánto tarda Iberdrola en responder
cuántos días pasaron entre mi solicitud y el rechazo de Zara
cuántas fases tiene el proceso de Seat
cuántas páginas debe tener un currículum
cuánto cobra un soldador en Bilbao
cuánta gente se ha presentado al puesto de Mercadona
¿Ha leído Rodrigo Palacín mi solicitud?
con qué currículum conseguí más entrevistas
contactos que trabajen en empresas que me rechazaron
empresas en las que no conozco a nadie
trabajos que me queden más cerca que el de Málaga
los que tengan jornada intensiva en verano
trabajos que paguen parecido al que tengo
si Zara me rechaza, archívalo
cuando tenga una oferta enséñame las demás
A no ser que ya lo haya hecho, inscríbeme en lo de Telefónica.
dile a Nuria Cebrián que tengo dos ofertas
el correo de Begoña Arrieta es otro, begona@arrieta.example
olvídate de Seat, me retiré
al final lo de recepcionista es en Huesca, no en Zaragoza
¡¡aceptada la oferta de Iberdrola!!
los de Repsol me suben a 34000
dos guardados, una solicitud, cero entrevistas, ese fue mi día
cuántas me había propuesto mandar esta semana
cuándo me llamarán de Telefónica
a partir de cuándo puedo insistirle a Zara
hasta cuándo tengo para contestar a la oferta
puntúame los trabajos guardados del uno al diez
ordena mis trabajos por distancia a casa
enséñame puestos parecidos al de Iberdrola
qué le falta a mi currículum para lo de soldador
resúmeme en dos frases cómo va mi búsqueda
una gráfica de solicitudes por semana
exporta los contactos a una hoja de cálculo
¿sabes hacer listas de trabajos?
¿retirarse cuenta como rechazo?
qué significa que un trabajo esté en entrevistas
por qué salen 16 trabajos si yo tengo 13
cuántos trabajos caben en la versión gratis
¿puede mi jefe ver mis candidaturas?
a mi cuñada le hicieron una oferta en Seat el mes pasado
cuántos rechazos son normales
tres negativas en una semana, ¿es mucho?
ni una sola entrevista este mes, estoy harta
Vamos viendo los guardados uno a uno y decidimos, ¿te parece?
deshaz eso, yo nunca apliqué a Zara
cámbiale el nombre al currículum, que sea CV nuevo
Málaga no, Murcia
el rechazo de Telefónica fue bastante majo
compara la oferta de Repsol con la de Iberdrola
pásame la carta de presentación al catalán
o Seat o Repsol, las dos me han llamado
tendría que limpiar los contactos un día de estos
"""
