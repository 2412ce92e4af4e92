# ruff: noqa: E501 - a label stands beside its sentence
"""What two more strangers say to a job tracker, in the form of `utterances_kept_back`: about 120
sentences in each language, and 320 for a model. Neither writer had seen rules or code. Of the first
60 in each language the rules understood 20, 22, 16 and 15 before `closed_reading` was written, which
was written with them at hand. The second 60 were kept back from it: 20, 13, 13 and 18 without it, 33,
28, 30 and 40 with it (English, German, French, Spanish: 55 of 100); five more were answered in
another way than labelled, and one of 160 for a model. What led to that was mended. Left out are
7 sentences that rules answer as the labels of older sets say, and these do not.
"""

from __future__ import annotations

ENGLISH = """
number of companies => count companies
every job in Denver => list jobs location~Denver
hey can you tell me what's happening with my Boeing application please, thanks => lookup jobs *~Boeing
how many have I got saved up but not applied to yet => count jobs status=saved
show rejected => list jobs status=rejected
Gemma Whitlock's email please => lookup contacts *~Gemma Whitlock
list jobs at Costco => list jobs company~Costco
offers count => count jobs status>=offer
ok ive lost track, how many applications have I actually sent since the start of this month? => count jobs status>=applied status@this_month
what does the FedEx role pay => lookup jobs *~FedEx
hybrid jobs pls => list jobs remote_type=hybrid
show me my Adobe contacts => list contacts company~Adobe
how many nos did i get last week :( => count jobs status=rejected status@last_week
Sort my jobs by salary, highest first. => list jobs by salary_min desc
phone no for Raj Patel => lookup contacts *~Raj Patel
count onsite jobs => count jobs remote_type=onsite
show anything in Bristol paying 45k or more => list jobs location~Bristol salary_min>=45000
my resumes => list documents kind=resume
how many CVs do I have uploaded => count documents kind=resume
is Monzo onsite or what => lookup jobs *~Monzo
Which jobs did I add this week? => list jobs created@this_week
how many barista jobs am I tracking => count jobs title~barista
where's the dental hygienist job located => lookup jobs *~dental hygienist
interviews i got last month => list jobs status>=interviewing status@last_month
number of contacts => count contacts
salary range for Stripe? => lookup jobs *~Stripe
The Cigna job, how far along is it? => lookup jobs *~Cigna
how many jobs over 100k => count jobs salary_min>=100001
everything I withdrew from => list jobs status=withdrawn
10 most recently added jobs => list jobs by created_at desc limit 10
What company is Latoya Greene with? => lookup contacts *~Latoya Greene
how many jobs in Glasgow => count jobs location~Glasgow
my wife keeps asking which ones I'm still waiting to hear from so can you show me those => list jobs status=applied
when did i put the forklift operator job in here => lookup jobs *~forklift operator
total number of documents => count documents
list companies => list companies
remote data analyst jobs => list jobs remote_type=remote title~data analyst
did I get turned down by Greggs? => count jobs company~Greggs status=rejected
companies I've interviewed with => list companies status>=interviewing
give me Owen McAllister's details => lookup contacts *~Owen McAllister
how many am I interviewing for at the moment => count jobs status=interviewing
Applications I sent yesterday. => list jobs status>=applied status@yesterday
whats the link for the Nando's one => lookup jobs *~Nando's
how many applications went out in October? => count jobs status>=applied status@october
Let me see every job I've saved in Toronto => list jobs location~Toronto status=saved
did i write any notes on the pharmacy tech job => lookup jobs *~pharmacy tech
how many jobs did I add today => count jobs created@today
contacts sorted by company => list contacts by company
what job did i apply for at Northwind => lookup jobs *~Northwind
have i accepted anything => count jobs status=accepted
all contacts => list contacts
top 5 salaries among my remote jobs => list jobs remote_type=remote by salary_min desc limit 5
how many times has Wegmans rejected me => count jobs company~Wegmans status=rejected
whats Bev Ormerods job title => lookup contacts *~Bev Ormerod
accounting jobs => list jobs title~accounting
how many of my Seattle jobs are fully remote => count jobs location~Seattle remote_type=remote
who turned me down this month => list companies status=rejected status@this_month
did I ever apply to Target, and if so when => lookup jobs *~Target
how many contacts at Boeing => count contacts company~Boeing
Every cover letter I've got in here, please. => list documents kind=cover_letter
hi there, how many jobs have I got in my tracker altogether? => count jobs
could you pull up the Ben & Jerry's one for me => lookup jobs *~Ben & Jerry's
how many rejections is that now => count jobs status=rejected
what've i got saved => list jobs status=saved
whats on my list in Kuala Lumpur => list jobs location~Kuala Lumpur
I can't remember if the Trader Joe's job was part remote or in the store, could you check? => lookup jobs *~Trader Joe's
who do i know at Deloitte => list contacts company~Deloitte
Siobhán O'Rourke phone number => lookup contacts *~Siobhán O'Rourke
total applications sent in march => count jobs status>=applied status@march
Could I please see the positions I have applied for this week? => list jobs status>=applied status@this_week
which of my jobs are wfh => list jobs remote_type=remote
how many hybrid ones have I got => count jobs remote_type=hybrid
On-site positions only, please. => list jobs remote_type=onsite
5 best paid jobs => list jobs by salary_min desc limit 5
the last three jobs I put in => list jobs by created_at desc limit 3
did Marks & Spencer make me an offer? => count jobs company~Marks & Spencer status>=offer
how many aplications are still sitting there unanswered => count jobs status=applied
what stage am I at with Johnson & Johnson => lookup jobs *~Johnson & Johnson
nurse jobs in Cardiff => list jobs location~Cardiff title~nurse
How many electrician jobs do I have in São Paulo? => count jobs location~São Paulo title~electrician
pull out everything with a salary of at least 60k => list jobs salary_min>=60000
how many remote jobs paying 80,000 or more => count jobs remote_type=remote salary_min>=80000
jobs above 55k => list jobs salary_min>=55001
Which jobs am I currently interviewing for? => list jobs status=interviewing
how many interviews did i land in june => count jobs status>=interviewing status@june
jobs I pulled out of last month => list jobs status=withdrawn status@last_month
how many have i withdrawn from, all told => count jobs status=withdrawn
ooh what offers do i have => list jobs status>=offer
show the job I accepted => list jobs status=accepted
how many jobs did I add last week => count jobs created@last_week
what jobs did I add yesterday => list jobs created@yesterday
right, let's have a look at all the jobs i've added this month => list jobs created@this_month
how many new jobs went into the tracker in January => count jobs created@january
which companies rejected me today => list companies status=rejected status@today
what companies are in my tracker => list companies
how many different companies have I applied to => count companies status>=applied
Companies I've had offers from => list companies status>=offer
how many people do I know at Lloyd's of London => count contacts company~Lloyd's of London
what's Dwayne Achebe's email adress => lookup contacts *~Dwayne Achebe
Where does Mei-Ling Zhao work? => lookup contacts *~Mei-Ling Zhao
contact list pls => list contacts
how many ppl are in my contacts => count contacts
contacts added last week => list contacts created@last_week
my two newest contacts => list contacts by created_at desc limit 2
what documents have i got in here => list documents
How many documents did I upload this month? => count documents created@this_month
cover letters, show me => list documents kind=cover_letter
how many cover letters are stored here => count documents kind=cover_letter
pull up my newest resume => list documents kind=resume by created_at desc limit 1
sorry, another one - when did I apply for the zookeeper job? => lookup jobs *~zookeeper
how much does the Häagen-Dazs job pay => lookup jobs *~Häagen-Dazs
wheres my dog groomer application at => lookup jobs *~dog groomer
how often has H&M said no to me => count jobs company~H&M status=rejected
saved remote jobs by salary, highest on top => list jobs remote_type=remote status=saved by salary_min desc
How many of the jobs I saved are in New Orleans? => count jobs location~New Orleans status=saved
everything I've got with Procter & Gamble => list jobs company~Procter & Gamble
how many roles at Ernst & Young am I tracking => count jobs company~Ernst & Young
just the paralegal roles thanks => list jobs title~paralegal
hybrid jobs in Leeds over 40k => list jobs location~Leeds remote_type=hybrid salary_min>=40001
remind me, which town is the Kwik Fit job in => lookup jobs *~Kwik Fit
"""

GERMAN = """
Anzahl Kontakte => count contacts
Zeig mir mal alle Stellen in Leipzig => list jobs location~Leipzig
wie ist der stand bei Siemens => lookup jobs *~Siemens
Wie viele Absagen habe ich bis jetzt kassiert? => count jobs status=rejected
merkliste bitte => list jobs status=saved
Telefonnummer von Jens Kowalski => lookup contacts *~Jens Kowalski
hab ich mich bei Bosch eigentlich schon beworben? => count jobs company~Bosch status>=applied
Was zahlt Zalando nochmal? => lookup jobs *~Zalando
wieviele bewerbungen hab ich letzten monat rausgeschickt => count jobs status>=applied status@last_month
Liste der Firmen, bei denen ich mich beworben habe => list companies status>=applied
lebensläufe => list documents kind=resume
Bei wie vielen Unternehmen bin ich gerade im Vorstellungsgespräch? => count companies status=interviewing
nur homeoffice jobs => list jobs remote_type=remote
Guten Tag, könnten Sie mir bitte sagen, wo die Stelle als Altenpfleger ist? => lookup jobs *~Altenpfleger
wen kenn ich bei Lufthansa => list contacts company~Lufthansa
wie viele jobs mit mindestens 50k => count jobs salary_min>=50000
was ist heute neu dazugekommen => list jobs created@today
E-Mail-Adresse von Frau Obermeier? => lookup contacts *~Obermeier
Anzahl hybrider Stellen => count jobs remote_type=hybrid
die drei zuletzt hinzugefügten Stellen => list jobs by created_at desc limit 3
ist der job bei DATEV hybrid oder muss ich jeden tag hin => lookup jobs *~DATEV
stellen über 70.000 euro in München => list jobs location~München salary_min>=70001
Wie viele Anschreiben liegen hier? => count documents kind=cover_letter
Wer hat mir diese Woche abgesagt? => list companies status=rejected status@this_week
Für welche Firma arbeitet Ayşe Yıldız? => lookup contacts *~Ayşe Yıldız
alle Jobs => list jobs
wie viele Stellen hab ich in Wien => count jobs location~Wien
Wann hab ich mich bei der Caritas beworben? => lookup jobs *~Caritas
zurückgezogene Bewerbungen anzeigen => list jobs status=withdrawn
meine Kontakte alphabetisch => list contacts by name
wie viele firmen hab ich hier drin => count companies
Bei Hornbach: welche Stelle war das noch gleich? => lookup jobs *~Hornbach
auf welche Bewerbungen hab ich noch keine Antwort, also wo warte ich noch => list jobs status=applied
Projektleiter-Stellen bei Trumpf => list jobs company~Trumpf title~Projektleiter
wie viele gespräche hatte ich schon insgesamt => count jobs status>=interviewing
Was hab ich letzte Woche hinzugefügt? => list jobs created@last_week
heike brandt, welche position hat die => lookup contacts *~heike brandt
Wie viele Stellen habe ich vorgemerkt? => count jobs status=saved
gibts schon ein angebot => count jobs status>=offer
Bin ich bei Continental noch im Rennen oder was ist da Sache? => lookup jobs *~Continental
stand miele? => lookup jobs *~miele
Anzahl Jobs als Erzieherin => count jobs title~Erzieherin
Firmen in Nürnberg => list companies location~Nürnberg
Wie viele Kontakte habe ich bei Siemens? => count contacts company~Siemens
Hast du den Link zur Stelle bei Fielmann? => lookup jobs *~Fielmann
abgelehnte bewerbungen in Köln => list jobs location~Köln status=rejected
wie oft hab ich mich gestern beworben => count jobs status>=applied status@yesterday
Welche Unterlagen hast du von mir? => list documents
wann hab ich die stelle bei edeka eingetragen => lookup jobs *~edeka
in wie vielen Bewerbungsverfahren bin ich grad, also wo Interviews laufen? => count jobs status=interviewing
vor Ort in Dresden, was hab ich da => list jobs location~Dresden remote_type=onsite
Notizen zur Rewe-Stelle => lookup jobs *~Rewe
Worauf habe ich mich im Oktober beworben? => list jobs status>=applied status@october
wieviele remote jobs über 60k sind dabei => count jobs remote_type=remote salary_min>=60001
die fünf bestbezahlten => list jobs by salary_min desc limit 5
hast du eine Nummer von Dr. Lindner => lookup contacts *~Lindner
Welche Bewerbungen stecken gerade in der Interviewphase? => list jobs status=interviewing
wie viele stellen hab ich diesen monat neu angelegt => count jobs created@this_month
Wie viele Stellen hab ich eigentlich insgesamt drin? => count jobs
zeig mal alle absagen => list jobs status=rejected
Wie steht es um meine Bewerbung bei Müller & Söhne? => lookup jobs *~Müller & Söhne
wieviele absagen sinds mittlerweile => count jobs status=rejected
Telefonnummer von Björn Kästner bitte => lookup contacts *~Björn Kästner
Stellen in Gießen => list jobs location~Gießen
was hab ich alles gespeichert => list jobs status=saved
Könnten Sie mir bitte sämtliche Stellen auflisten, für die ich ein Angebot erhalten habe? => list jobs status>=offer
Wie viele Bewerbungen habe ich im März verschickt? => count jobs status>=applied status@march
wen kenn ich bei Bosch => list contacts company~Bosch
alle Homeoffice-Stellen => list jobs remote_type=remote
nur die hybriden Stellen bitte => list jobs remote_type=hybrid
wieviele jobs sind komplett vor ort => count jobs remote_type=onsite
Was zahlt dm für die Stelle, die ich mir da eingetragen hab? => lookup jobs *~dm
die drei zuletzt hinzugefügten Stellen => list jobs by created_at desc limit 3
Jobs nach Gehalt sortiert, das höchste zuerst => list jobs by salary_min desc
was liegt ab 50.000 euro => list jobs salary_min>=50000
Wie viele meiner Stellen bringen mehr als 60.000 im Jahr? => count jobs salary_min>=60001
Mindestens 48k in Köln => list jobs location~Köln salary_min>=48000
Bei wem laufen gerade Vorstellungsgespräche? => list companies status=interviewing
zu wie vielen gesprächen wurde ich letzten monat eingeladen => count jobs status>=interviewing status@last_month
Von welchen Firmen kam diese Woche eine Absage? => list companies status=rejected status@this_week
worauf hab ich mich gestern beworben => list jobs status>=applied status@yesterday
Heute angelegte Stellen => list jobs created@today
wie viele stellen hab ich letzte woche neu eingetragen => count jobs created@last_week
Im Oktober hinzugefügte Jobs anzeigen => list jobs created@october
Wo ich zurückgezogen habe, bitte einmal als Liste => list jobs status=withdrawn
wie oft hab ich eine bewerbung zurückgezogen? => count jobs status=withdrawn
Habe ich schon irgendwo zugesagt? => count jobs status=accepted
Auf wie viele Bewerbungen warte ich noch auf Antwort? => count jobs status=applied
Zeig mir doch mal die, bei denen ich beworben bin und noch nichts gehört habe => list jobs status=applied
Hat mir die Bäckerei Öhlmann abgesagt? => count jobs company~Bäckerei Öhlmann status=rejected
Hab da den Überblick verloren, wie viele Jobs als Erzieherin sind drin? => count jobs title~Erzieherin
alle Stellen als Mechatroniker in Braunschweig => list jobs location~Braunschweig title~Mechatroniker
wann hab ich mich nochmal als Lokführer beworben => lookup jobs *~Lokführer
In welcher Stadt ist die Stelle bei Giesecke+Devrient? => lookup jobs *~Giesecke+Devrient
ist das bei Hapag-Lloyd remote oder muss ich hin => lookup jobs *~Hapag-Lloyd
Hast du den Link zur Anzeige von Peek & Cloppenburg? => lookup jobs *~Peek & Cloppenburg
Alles, was ich von Siemens Energy hab => list jobs company~Siemens Energy
Wie viele Stellen von Lidl stehen in meiner Liste? => count jobs company~Lidl
Gespeicherte Stellen in Bad Homburg => list jobs location~Bad Homburg status=saved
wieviele hab ich gemerkt aber noch nicht abgeschickt => count jobs status=saved
Mit welchen Firmen hatte ich schon ein Gespräch? => list companies status>=interviewing
Bei wie vielen verschiedenen Firmen habe ich mich beworben? => count companies status>=applied
alle firmen => list companies
Meine Kontakte => list contacts
wieviel kontakte sind das inzwischen => count contacts
Kontakte bei Carl Zeiss => list contacts company~Carl Zeiss
Wie viele Leute habe ich bei der Sparkasse Nürnberg als Kontakt? => count contacts company~Sparkasse Nürnberg
mailadresse anneliese grüber => lookup contacts *~anneliese grüber
Bei welcher Firma war Çağla Yıldırım noch gleich? => lookup contacts *~Çağla Yıldırım
Wer ist diesen Monat neu in meine Kontakte gekommen? => list contacts created@this_month
Lebensläufe anzeigen => list documents kind=resume
Wie viele Anschreiben liegen hier ab? => count documents kind=cover_letter
zeig die anschreiben => list documents kind=cover_letter
Den neusten Lebenslauf bitte => list documents kind=resume by created_at desc limit 1
was für dokumente hab ich hochgeladen => list documents
Anzahl Dokumente => count documents
Remote-Stellen ab 55.000, geht das? => list jobs remote_type=remote salary_min>=55000
die fünf bestbezahlten in München => list jobs location~München by salary_min desc limit 5
"""

FRENCH = """
combien de candidatures au total => count jobs
Mes postes à Nantes => list jobs location~Nantes
ça en est où avec Decathlon ? => lookup jobs *~Decathlon
nombre d'entretiens en cours => count jobs status=interviewing
les boîtes qui m'ont dit non => list companies status=rejected
t'as le mail de Camille Roussel ? => lookup contacts *~Camille Roussel
Bonjour, pourriez-vous m'indiquer combien d'offres j'ai mises de côté ? => count jobs status=saved
offres en télétravail complet => list jobs remote_type=remote
c'est payé combien le poste chez Thales => lookup jobs *~Thales
j'ai postulé à combien de trucs cette semaine => count jobs status>=applied status@this_week
tout ce que j'ai chez Airbus => list jobs company~Airbus
Nombre de lettres de motivation => count documents kind=cover_letter
contacts chez Orange => list contacts company~Orange
Quand est-ce que j'ai candidaté chez Leroy Merlin ? => lookup jobs *~Leroy Merlin
combien de postes à plus de 40k => count jobs salary_min>=40001
les refus du mois dernier => list jobs status=rejected status@last_month
Le numéro de Yanis Belkacem svp => lookup contacts *~Yanis Belkacem
liste de mes documents => list documents
dans combien d'entreprises j'ai postulé quoi, à peu près => count companies status>=applied
postes d'infirmière à Lille => list jobs location~Lille title~infirmière
Doctolib c'est du présentiel ou pas => lookup jobs *~Doctolib
Affiche les candidatures où j'attends encore une réponse. => list jobs status=applied
j'ai eu combien de propositions d'embauche => count jobs status>=offer
les 4 derniers ajoutés => list jobs by created_at desc limit 4
Il bosse où Thierry Vasseur déjà ? => lookup contacts *~Thierry Vasseur
combien d'offres à Toulouse => count jobs location~Toulouse
les entretiens que j'ai décrochés jusqu'ici => list jobs status>=interviewing
les entreprises qui m'ont fait une offre => list companies status>=offer
où se trouve le poste de chef de rang ? => lookup jobs *~chef de rang
Combien ai-je de contacts chez SNCF ? => count contacts company~SNCF
ce que j'ai ajouté hier => list jobs created@yesterday
offres d'au moins 35000 en hybride => list jobs remote_type=hybrid salary_min>=35000
qu'est-ce que j'avais noté sur Michelin => lookup jobs *~Michelin
nombre de cv => count documents kind=resume
Quelles candidatures ai-je retirées ? => list jobs status=withdrawn
c'est quoi son poste à Inès Delorme => lookup contacts *~Inès Delorme
combien de refus aujourd'hui lol => count jobs status=rejected status@today
classe mes offres par salaire, de la plus haute à la plus basse => list jobs by salary_min desc
statut L'Oréal => lookup jobs *~L'Oréal
Combien de comptable j'ai dans mes offres => count jobs title~comptable
ce que j'ai sauvegardé à Bordeaux => list jobs location~Bordeaux status=saved
le lien de l'annonce Fnac stp => lookup jobs *~Fnac
Combien de postes sont en hybride ? => count jobs remote_type=hybrid
candidatures envoyées en octobre => list jobs status>=applied status@october
J'ai combien de contacts enregistrés ? => count contacts
l'offre que j'ai acceptée => list jobs status=accepted
quel était l'intitulé du poste chez BlaBlaCar => lookup jobs *~BlaBlaCar
combien d'offres ajoutées la semaine dernière => count jobs created@last_week
développeur en remote, montre-moi ce que j'ai => list jobs remote_type=remote title~développeur
mes lettres de motiv => list documents kind=cover_letter
j'ai déjà retiré des candidatures ? combien => count jobs status=withdrawn
à quelle date j'ai ajouté l'offre Boulanger => lookup jobs *~Boulanger
contacts triés par nom => list contacts by name
combien d'entretiens décrochés ce mois-ci => count jobs status>=interviewing status@this_month
Les postes présentiels à Grenoble, s'il vous plaît. => list jobs location~Grenoble remote_type=onsite
la fourchette de salaire chez Carrefour ? => lookup jobs *~Carrefour
combien j'en ai à Rennes en télétravail => count jobs location~Rennes remote_type=remote
J'ai combien d'offres d'emploi dans mon suivi en tout ? => count jobs
t'as quoi sur L'Oréal => lookup jobs *~L'Oréal
combien de refus jusqu'ici => count jobs status=rejected
Montre-moi les postes que j'ai enregistrés sans avoir encore postulé => list jobs status=saved
les postes à Aix-en-Provence => list jobs location~Aix-en-Provence
le mail de Maëlle Kerguélen stp => lookup contacts *~Maëlle Kerguélen
Où en est ma candidature chez Leroy Merlin ? => lookup jobs *~Leroy Merlin
Pourriez-vous m'indiquer le nombre de candidatures que j'ai envoyées au mois de mars ? => count jobs status>=applied status@march
qui je connais chez Michelin => list contacts company~Michelin
y a combien de postes en télétravail complet => count jobs remote_type=remote
que les postes en hybride svp => list jobs remote_type=hybrid
Lister les postes en présentiel => list jobs remote_type=onsite
Mes entretiens en cours, c'est lesquels déjà ? => list jobs status=interviewing
combien d'entretiens j'ai décrochés le mois dernier => count jobs status>=interviewing status@last_month
les boîtes qui m'ont refusé cette semaine => list companies status=rejected status@this_week
À quoi ai-je postulé hier ? => list jobs status>=applied status@yesterday
candidatures d'aujourd'hui => list jobs status>=applied status@today
combien j'en ai ajouté la semaine dernière, des postes ? => count jobs created@last_week
Les postes ajoutés en septembre => list jobs created@september
les 4 derniers postes ajoutés => list jobs by created_at desc limit 4
trie mes postes par salaire, du plus élevé au plus bas => list jobs by salary_min desc
Le poste le mieux payé de ma liste => list jobs by salary_min desc limit 1
tout ce qui paie au moins 38 000 € => list jobs salary_min>=38000
Combien de postes dépassent les 45k ? => count jobs salary_min>=45001
à Nantes, à partir de 32k => list jobs location~Nantes salary_min>=32000
j'attends encore combien de réponses ? => count jobs status=applied
Celles qui sont envoyées et restées sans réponse, affiche-les-moi => list jobs status=applied
les candidatures que j'ai retirées => list jobs status=withdrawn
je me suis désistée combien de fois au total => count jobs status=withdrawn
Ai-je déjà accepté un poste ? => count jobs status=accepted
on m'a fait combien de propositions d'embauche pr l'instant => count jobs status>=offer
quelles entreprises m'ont fait une offre ? => list companies status>=offer
c'est payé combien le poste de fleuriste => lookup jobs *~fleuriste
La date à laquelle j'ai postulé chez Saint-Gobain ? => lookup jobs *~Saint-Gobain
tu peux me redonner le lien de l'annonce d'Yves Rocher => lookup jobs *~Yves Rocher
chez Bouygues Telecom, c'était du télétravail ou pas ? => lookup jobs *~Bouygues Telecom
Il est dans quelle ville, le poste d'ostéopathe ? => lookup jobs *~ostéopathe
les postes d'infirmière à Saint-Étienne => list jobs location~Saint-Étienne title~infirmière
Nombre de postes de comptable => count jobs title~comptable
combien d'offres de chez Air France je suis => count jobs company~Air France
tout ce que j'ai chez Crédit Agricole => list jobs company~Crédit Agricole
postes sauvegardés à Liège => list jobs location~Liège status=saved
combien de mes postes à Montréal sont en hybride ? => count jobs location~Montréal remote_type=hybrid
Bonjour, j'aurais besoin de la liste de mes entreprises, merci d'avance. => list companies
J'ai candidaté dans combien d'entreprises différentes ? => count companies status>=applied
mes contacts => list contacts
j'ai cb de contacts => count contacts
Les contacts que j'ai chez Dassault Systèmes => list contacts company~Dassault Systèmes
combien de personnes chez Orange dans mes contacts ? => count contacts company~Orange
numéro de téléphone de jean-baptiste n'guessan => lookup contacts *~jean-baptiste n'guessan
Zoé Lefèbvre-Da Silva, elle bosse où déjà ? => lookup contacts *~Zoé Lefèbvre-Da Silva
contacts ajoutés ce mois-ci => list contacts created@this_month
affiche mes cv => list documents kind=resume
Combien de CV ai-je déposés ici ? => count documents kind=resume
mes lettres de motivation stp => list documents kind=cover_letter
nb de lettres de motiv => count documents kind=cover_letter
Quels documents y a-t-il dans mon espace ? => list documents
ma lettre de motivation la plus récente => list documents kind=cover_letter by created_at desc limit 1
les refus du mois d'avril => list jobs status=rejected status@april
"""

SPANISH = """
cuántas empresas de Madrid tengo => count companies location~Madrid
trabajos en Valencia => list jobs location~Valencia
cómo va lo de Mercadona => lookup jobs *~Mercadona
¿Cuántas candidaturas he enviado hoy? => count jobs status>=applied status@today
enséñame los rechazos de la semana pasada => list jobs status=rejected status@last_week
el correo de Lucía Montero? => lookup contacts *~Lucía Montero
total de vacantes guardadas => count jobs status=saved
las empresas donde tengo entrevistas ahora mismo => list companies status=interviewing
cuanto pagan en Telefónica => lookup jobs *~Telefónica
me ha rechazado ya BBVA?? => count jobs company~BBVA status=rejected
Dame la lista de mis contactos. => list contacts
El puesto de Glovo, ¿es presencial o desde casa? => lookup jobs *~Glovo
numero de ofertas recibidas => count jobs status>=offer
puestos híbridos en Bilbao => list jobs location~Bilbao remote_type=hybrid
tel de Andrés Quiroga porfa => lookup contacts *~Andrés Quiroga
a cuántos trabajos me postulé el mes pasado => count jobs status>=applied status@last_month
contactos en Repsol => list contacts company~Repsol
¿Me podría decir en qué ciudad está la plaza de auxiliar administrativo? => lookup jobs *~auxiliar administrativo
cuántos currículums tengo subidos => count documents kind=resume
los 6 mejor pagados => list jobs by salary_min desc limit 6
fecha en que apliqué a Rappi => lookup jobs *~Rappi
de cuántas me retiré => count jobs status=withdrawn
todo lo que agregué este mes => list jobs created@this_month
Beatriz Salgado trabaja en qué empresa?? => lookup contacts *~Beatriz Salgado
chambas remotas cuántas tengo => count jobs remote_type=remote
en cuáles sigo esperando respuesta => list jobs status=applied
¿Qué apunté sobre la vacante de Iberia? => lookup jobs *~Iberia
cuantos puestos pagan más de 30 mil => count jobs salary_min>=30001
documentos por fecha, los nuevos primero => list documents by created_at desc
pásame el enlace de la oferta de Cabify => lookup jobs *~Cabify
cuántas en Zaragoza => count jobs location~Zaragoza
vacantes de camarero => list jobs title~camarero
Estado de mi solicitud en Mapfre => lookup jobs *~Mapfre
¿A cuántas entrevistas he llegado en total? => count jobs status>=interviewing
ordena mis trabajos por título => list jobs by title
cuántos contactos tengo en Inditex => count contacts company~Inditex
quiénes me rechazaron, qué empresas => list companies status=rejected
y el cargo de don Ernesto Palacios cuál es? => lookup contacts *~Ernesto Palacios
número de documentos => count documents
trabajos de Bimbo => list jobs company~Bimbo
¿Cuándo añadí la oferta de soldador? => lookup jobs *~soldador
cuántos trabajos metí ayer => count jobs created@yesterday
lo que tengo remoto de al menos 45000 => list jobs remote_type=remote salary_min>=45000
qué puesto era el de Correos, que ya ni me acuerdo => lookup jobs *~Correos
¿Cuántos presenciales hay en Medellín? => count jobs location~Medellín remote_type=onsite
solicitudes que mandé en octubre => list jobs status>=applied status@october
cuántos rechazos llevo esta semana, madre mía => count jobs status=rejected status@this_week
Ofertas que ya acepté => list jobs status=accepted
sueldo El Corte Inglés => lookup jobs *~El Corte Inglés
cuántas vacantes de enfermero tengo guardadas => count jobs status=saved title~enfermero
compañías a las que he aplicado => list companies status>=applied
Disculpe, necesito el teléfono de la señora Villalobos => lookup contacts *~Villalobos
en cuántos procesos de entrevista estoy ahora => count jobs status=interviewing
guardados en Monterrey, muéstramelos => list jobs location~Monterrey status=saved
mis últimas 8 vacantes agregadas => list jobs by created_at desc limit 8
Apliqué a algo en Mercado Libre? => count jobs company~Mercado Libre status>=applied
procesos que abandoné yo => list jobs status=withdrawn
¿De quién recibí rechazo ayer? => list companies status=rejected status@yesterday
todos los presenciales => list jobs remote_type=onsite
trabajos de contador en Bogotá por favor => list jobs location~Bogotá title~contador
cuántas vacantes tengo guardadas sin postular => count jobs status=saved
¿Cómo va lo de El Corte Inglés? => lookup jobs *~El Corte Inglés
enséñame los rechazos => list jobs status=rejected
Me pasas el teléfono de Íñigo Echeverría, porfa => lookup contacts *~Íñigo Echeverría
trabajos en San Luis Potosí => list jobs location~San Luis Potosí
¿A cuántos puestos me postulé en marzo? => count jobs status>=applied status@march
a quien conozco en Telefónica => list contacts company~Telefónica
solo los remotos => list jobs remote_type=remote
cuantos son híbridos? => count jobs remote_type=hybrid
Los presenciales, por favor => list jobs remote_type=onsite
Buenas tardes, ¿sería tan amable de mostrarme las candidaturas que he enviado esta semana? => list jobs status>=applied status@this_week
los 3 últimos empleos que metí => list jobs by created_at desc limit 3
ordéname los puestos por sueldo, de mayor a menor => list jobs by salary_min desc
cuál es el puesto que más paga de los míos => list jobs by salary_min desc limit 1
Puestos a partir de 30.000 € => list jobs salary_min>=30000
¿Cuántos pasan de 35k? => count jobs salary_min>=35001
en Zaragoza y que paguen mínimo 28.000 => list jobs location~Zaragoza salary_min>=28000
¿En qué procesos estoy de entrevistas ahora mismo? => list jobs status=interviewing
cuántas entrevistas conseguí el mes pasado => count jobs status>=interviewing status@last_month
qué empresas me han dicho que no esta semana => list companies status=rejected status@this_week
¿A qué apliqué ayer? => list jobs status>=applied status@yesterday
Cuántas postulaciones mandé hoy => count jobs status>=applied status@today
empleos que agregué la semana pasada => list jobs created@last_week
¿Cuántos trabajos añadí en noviembre? => count jobs created@november
lo que he añadido este mes, o sea los trabajos => list jobs created@this_month
uf, ya ni sé, cuántas respuestas me faltan por recibir? => count jobs status=applied
Las que ya mandé y sigo esperando => list jobs status=applied
¿Me ha rechazado Mercadona? => count jobs company~Mercadona status=rejected
cuántas veces me a rechazado Inditex => count jobs company~Inditex status=rejected
De qué procesos me he retirado => list jobs status=withdrawn
¿cuántas candidaturas he retirado? => count jobs status=withdrawn
he aceptado ya algo? => count jobs status=accepted
Ofertas en firme que me hayan hecho, ¿cuántas van? => count jobs status>=offer
empresas que me hicieron oferta => list companies status>=offer
cuánto pagan en lo de soldador submarino => lookup jobs *~soldador submarino
¿Cuándo eché el currículum en Johnson & Johnson? => lookup jobs *~Johnson & Johnson
pásame el enlace de la vacante de Grupo Bimbo => lookup jobs *~Grupo Bimbo
lo de Almacenes Peña era remoto o había que ir? => lookup jobs *~Almacenes Peña
¿Dónde queda el trabajo de peluquera canina? => lookup jobs *~peluquera canina
puestos de enfermera en A Coruña => list jobs location~A Coruña title~enfermera
Cuántos trabajos de contador tengo anotados => count jobs title~contador
todo lo que tengo de Banco Santander => list jobs company~Banco Santander
¿Cuántas vacantes de Falabella estoy siguiendo? => count jobs company~Falabella
las guardadas en Ñuñoa => list jobs location~Ñuñoa status=saved
de los de Medellín, cuántos son remotos => count jobs location~Medellín remote_type=remote
listado de empresas => list companies
¿En cuántas empresas distintas me he presentado? => count companies status>=applied
Empresas con las que ya he tenido entrevista => list companies status>=interviewing
ver contactos => list contacts
cuántos contactos llevo? => count contacts
¿Cuánta gente de Iberdrola tengo en mis contactos? => count contacts company~Iberdrola
correo de maría josé núñez => lookup contacts *~maría josé núñez
¿En qué empresa estaba Xóchitl Ibáñez? => lookup contacts *~Xóchitl Ibáñez
los contactos que agregué este mes => list contacts created@this_month
mis currículums => list documents kind=resume
Cuántas cartas de presentación hay subidas => count documents kind=cover_letter
Muéstrame las cartas de presentación, gracias => list documents kind=cover_letter
qué documentos tengo por aquí => list documents
¿Cuántos documentos hay? => count documents
"""

MODEL = """
how many jobs at Costco are hiring right now
list three reasons I want to work at Boeing
number of applicants for the FedEx role
show me how to answer 'tell me about yourself'
all jobs except the ones in Denver
list jobs at Stripe that ask for Python
what does a dental hygienist earn in Tampa
Gemma Whitlock called, move Monzo to interviewing
and how many of those are remote?
What's the average salary across my saved jobs?
Which companies pay better than Adobe?
how many weeks should I wait before chasing Cigna
show me jobs with good health insurance
what percentage of my applications turn into interviews
is the Nando's job worth it
when is my interview with Northwind
who should I contact at Adobe
find contacts at Target on linkedin for me
count the words in my cover letter
Compare the Stripe offer with the Adobe offer.
jobs in Seattle or Portland
what did I ask you yesterday
Save this one: barista at Costa, Dublin, 24k
which resume should i use for the data analyst job
list my strengths based on my resume
email Raj Patel
how many jobs did I lose out on because of my age
where does Boeing have offices
status update email to send to Owen McAllister
remote jobs that let me work from Spain
who else is in that one
show me my rejected jobs and tell me what they have in common
what's a good salary to ask Wegmans for
the pharmacy tech job fell through
contacts I haven't spoken to in a while
jobs that close this week
what time does Greggs open
am I applying to too many jobs
how many people does Raj Patel manage
rename my resume to Final CV 2
Wie viele Mitarbeiter hat Trumpf?
welche stelle in Leipzig passt am besten zu mir
Zeig mir mal, wie man ein gutes Anschreiben aufbaut
trag bei Siemens bitte Absage ein
und wie viele davon in Hamburg?
stellen mit dienstwagen
Was verdient man als Erzieherin in Wien?
stellen ohne schichtdienst
Wann meldet sich Zalando normalerweise nach dem Gespräch?
liste mir fragen auf, die Lufthansa im Interview stellt
Jobs mit Vier-Tage-Woche
warum hat otto mir abgesagt
kannst du Jens Kowalski anrufen
Wie viele Bewerbungen pro Woche sind normal?
wer ist der chef von Miele
neue stelle: Altenpfleger bei der Diakonie in Kassel, 38k
Welche Firma zahlt besser, DATEV oder Bosch?
hab heute bei Fielmann abgesagt
stellen in der nähe von Kassel
Wie hoch ist meine Absagequote?
den zweiten nochmal genauer bitte
Jobs, die ich ohne Studium machen kann
schreib Frau Obermeier, dass ich am Dienstag kann
Ist 50k für einen Projektleiter in Dresden viel?
welcher lebenslauf ist der beste
Wie viele Stellen sind bei Rewe gerade offen?
Soll ich bei der Caritas nochmal nachfragen oder lieber warten?
zeig mir aktuelle homeoffice jobs aus dem internet
Kontakte ohne Telefonnummer
was kommt nach dem vorstellungsgespräch
lösch alle stellen in Köln
Hab ich bei Hornbach Chancen?
wie lange brauche ich mit der bahn nach Nürnberg
Wie viel mehr zahlt München im Schnitt als Leipzig?
Welche Bewerbungen habe ich mit dem englischen Lebenslauf verschickt?
Was hältst du von Edeka als Arbeitgeber?
der kontakt von vorhin, wo arbeitet der
wie viele urlaubstage gibts bei Siemens
Kündigungsfrist bei meinem jetzigen Job, wie lange?
jobs in München oder Zürich, aber keine Zeitarbeit
combien gagne une infirmière à Lille en début de carrière
Rédige-moi une relance pour Decathlon
et celles à Lyon ?
passe Thales en refusé
quelles entreprises recrutent à Nantes en ce moment
Combien de candidats pour le poste chez Airbus ?
les postes où y'a des tickets resto
c'est quoi la différence entre CDI et CDD
Montre-moi un exemple de lettre de motivation
combien de temps avant de relancer Orange
supprime Yanis Belkacem de mes contacts
Quels sont mes points faibles d'après mon CV ?
offres à moins d'une heure de train de Bordeaux
tu penses que Doctolib va me rappeler ?
Mon entretien chez Capgemini est à quelle heure ?
quel poste je devrais prendre entre Michelin et L'Oréal
les offres de Toulouse que j'ai pas encore relues
Combien de salariés chez BlaBlaCar ?
combien de jours en moyenne avant un refus
ajoute une note sur Fnac : rappeler lundi
dis moi tout sur la culture d'entreprise chez SNCF
Liste les questions à poser au recruteur de Leroy Merlin
les postes qui demandent l'anglais courant
j'ai plus de refus que le mois dernier ou pas ?
comment on négocie son salaire
C'est quoi déjà ce que tu m'as conseillé pour Carrefour ?
offres en intérim seulement
j'ai accepté l'offre de Boulanger !
Trouve-moi le mail du DRH d'Airbus sur internet
combien d'heures par semaine fait un chef de rang
contacts que je n'ai pas encore relancés
Traduisez mon CV en anglais, s'il vous plaît
pourquoi j'ai que des refus
postes de comptable pas trop mal payés à Genève
combien de postes je peux encore viser d'ici Noël
elle travaille où déjà elle ?
les entreprises de plus de 500 salariés
mets un rappel pour Thierry Vasseur demain
35000 brut ça fait combien net
Dois-je parler d'Inès Delorme dans ma lettre pour Michelin ?
cuántas vacantes tiene abiertas Mercadona
qué me pongo para la entrevista en BBVA
trabajos en Valencia que no pidan experiencia
¿Cuánto cobra un soldador en Bilbao?
cambia lo de Glovo a entrevista
y cuáles de esas son remotas
Lista de preguntas típicas de Telefónica
mándale un correo a Lucía Montero
cuántas horas se trabaja en Cabify
¿Me conviene aceptar la oferta de Repsol?
puestos con contrato indefinido
quién es el dueño de Inditex
cuántos rechazos son demasiados
enséñame a hacer un currículum
y ahora quita las de Zaragoza
¿Cuál es mi sueldo promedio entre todas las vacantes?
borra a Andrés Quiroga
empresas en Monterrey que estén contratando
el de antes, cuánto pagaba?
Redácteme una carta de presentación para Iberia
cuál de mis entrevistas fue la mejor
trabajos que acepten extranjeros sin papeles
cuándo me va a llamar Rappi
¿En qué mes envié más solicitudes?
me rechazaron en Correos, estoy harto
apúntame esto: camarero en Málaga, 1400 al mes
Bimbo o Mapfre, cuál es mejor empresa
cuántos idiomas debo poner en el cv
contactos que tengan LinkedIn
¿Cómo le digo a don Ernesto Palacios que ya no me interesa?
jornada media tarde, qué tengo
a qué hora es la entrevista de mañana
qué hace un auxiliar administrativo
Resume la vacante de Mercado Libre en dos líneas para mandársela a mi hermana
30 mil pesos alcanza para vivir en CDMX?
cuántas veces hemos hablado de El Corte Inglés
vacantes en Sevilla con parking
por qué no me llaman de ningún lado
Deshaz lo último
la señora Villalobos contesta rápido normalmente?
how many jobs should I be applying to each week
could you pull up the Ben & Jerry's one and mark it rejected
why do I keep getting rejected
which of my saved jobs would suit me best
whats it like living in Kuala Lumpur
how many people work at Deloitte
Siobhán O'Rourke left Deloitte, take her off my contacts
show me my remote jobs and then draft a follow up for each
if I turn down Marks & Spencer, how many offers would I have left
is 60k decent for a nurse in Cardiff
jobs that aren't in Leeds and aren't remote either
like I said, the Trader Joe's job is hybrid
what did they say about the salary
how long does a skilled worker visa take
my brother's applications from last month
put the Kwik Fit job in for me
how many of my interviews went well
What's the average pay for a paralegal right now?
tell me a joke about recruiters
do Johnson & Johnson allow remote working
write a cover letter for the zookeeper job
Did I apply to more jobs in June than in May?
show me that one again
which contact should I message first
when will Ernst & Young get back to me
how many jobs could I realistically get an offer for
list the companies I never heard back from after an interview
count me in for the Leeds one
what if I'd accepted the H&M offer instead
do you think Procter & Gamble is a nice place to work
find me some new hybrid jobs in New Orleans
Dwayne Achebe's email bounced, what now
change my Häagen-Dazs salary to 52k
what are three jobs I could do without a degree
can i afford a mortgage on the salary from the Cardiff job
who's the CEO of Lloyd's of London
jobs where I know someone at the company
how many saved and how many applied
any reason to keep the two oldest cover letters
Which documents do I need for the background check?
Wie viele Bewerbungen pro Woche sind eigentlich normal?
warum krieg ich nur absagen
Soll ich das Angebot von Müller & Söhne annehmen?
Björn Kästner hat eine neue Nummer, 0171 5550123
lösch alle abgelehnten stellen
Zeig mir die Stellen in Köln und schreib gleich an Hapag-Lloyd
Stellen, die weder in Gießen noch in Frankfurt sind
was verdient man als Mechatroniker in Braunschweig
Wie viele Mitarbeiter hat Bosch?
Wenn ich bei Lidl zusage, muss ich die anderen dann absagen?
und wann war das nochmal bei der anderen
Welche von meinen Firmen hat den besten Ruf?
wie gesagt, bei Carl Zeiss war ich schon
Hab ich mehr Absagen als letztes Jahr um die Zeit?
Trag mir bitte die Stelle bei Peek & Cloppenburg in Düsseldorf ein
welches anschreiben passt am besten zur stelle als Erzieherin
Schreib Anneliese Grüber, dass ich am Dienstag Zeit habe
wieviel bleibt netto von 50.000 in Steuerklasse 3
Wann muss ich mich arbeitslos melden?
Jobs von meiner Freundin anzeigen
die Stelle als Lokführer ist vom Tisch
erzähl mal einen witz über personaler
wie viele von den gesprächen liefen gut
Was hältst du von der Deutschen Bahn als Arbeitgeber?
München oder lieber Gießen?
zeig mir die da nochmal
Welche Unterlagen brauche ich fürs Anerkennungsverfahren?
Wie viele Stellen hätte ich, wenn ich die unter 40k rauswerfe?
wann meldet sich die Bäckerei Öhlmann endlich
Absage von dm bekommen, wie reagiere ich da am besten?
Wo wohnt man in Bad Homburg halbwegs bezahlbar?
ändere bei Giesecke+Devrient den Status auf Gespräch
Was fragen die bei der Sparkasse Nürnberg im Vorstellungsgespräch?
such mir neue remote-stellen ab 55.000
Wie viele Stellen und wie viele Kontakte hab ich?
Stellen mit Dienstwagen oder wenigstens Jobticket
ob das mit Hapag-Lloyd noch was wird?
Fass mir meinen Lebenslauf in drei Sätzen zusammen
Bei welchen Firmen kenne ich niemanden?
liste mal auf was an meiner bewerbung schlecht ist
Combien de candidatures faut-il envoyer pour décrocher un entretien ?
pourquoi L'Oréal m'a refusée à ton avis
je fais quoi si Leroy Merlin ne répond pas
Maëlle Kerguélen a changé de mail, mets à jour sa fiche
supprime les postes à Nantes
Les postes ailleurs qu'à Paris
Montre-moi mes refus et explique-moi ce qui cloche
c'est quoi le salaire moyen d'un comptable à Montréal
Entre Saint-Gobain et Michelin, tu prendrais lequel ?
si j'accepte le poste à Liège je perds mon chômage ?
combien de salariés chez Bouygues Telecom
comme je te disais, Décathlon c'est mort
Rédige une lettre de motivation pour le poste de fleuriste
celle-là, elle est à combien ?
les candidatures de mon fils
Est-ce que j'ai plus d'entretiens qu'au printemps ?
quel cv j'envoie à Air France
Ajoute Crédit Agricole, chargé de clientèle, Rennes
Yves Rocher recrute en ce moment ?
combien d'entreprises m'ont répondu gentiment lol
Relance Jean-Baptiste N'Guessan pour moi.
quels documents pour un permis de travail au Québec
Il vaut mieux du télétravail ou du présentiel quand on débute ?
combien de postes je pourrais viser avec un bac+2
mon taux de réponse
les postes enregistrés qui expirent bientôt
Que penses-tu de Dassault Systèmes ?
raconte-moi une blague de recruteur
et chez l'autre, il y avait un 13e mois ?
Je n'ai jamais postulé chez Orange, corrige ça
trouve-moi des postes d'infirmière à Saint-Étienne
Combien je toucherai net avec 38 000 brut ?
qui contacter chez Michelin pour un stage
les postes où je n'ai pas encore de contact
À quelle heure est mon entretien demain ?
liste mes qualités et mes défauts
Si j'avais dit oui à Orange, j'en serais où ?
passe le poste d'ostéopathe en entretien
combien de postes et combien de lettres j'ai
comment on va à Aix-en-Provence depuis Marseille sans voiture
cuántas vacantes debería guardar por semana
¿Por qué crees que me rechazó Mercadona?
qué me conviene más, Inditex o El Corte Inglés
apúntame el teléfono de Íñigo Echeverría, 612 000 111
Borra todo lo de San Luis Potosí
trabajos que no sean ni remotos ni en Zaragoza
cuánto gana una enfermera en A Coruña
Enséñame las de Telefónica y dime cuál está mejor
si acepto lo de Grupo Bimbo, ¿pierdo el paro?
¿Cuántos empleados tiene Iberdrola?
como te decía, en Banco Santander ya me conocen
ese cuánto pagaba?
Escríbele a María José Núñez para agradecerle la entrevista
los trabajos de mi hermana
¿Qué papeles piden para la visa de trabajo en Chile?
mándame chistes de entrevistas, que estoy de bajón
Llevo más rechazos que hace un año, ¿no?
qué currículum uso para lo de soldador submarino
Agrega una vacante de contador en Falabella
cuándo me van a llamar de Johnson & Johnson
¿Te parece buena empresa Telefónica?
lo de peluquera canina pásalo a rechazado
búscame puestos de contador en Medellín
Cuántas entrevistas más me tocarán antes de una oferta
y en la otra, ¿había que ir a la oficina?
¿Me darían una hipoteca con 28.000 al año?
qué porcentaje de mis postulaciones acaba en entrevista
Puestos guardados con buen ambiente de trabajo
no he mandado nada a Inditex, ¿verdad que no pasa nada?
Hazme una carta de presentación para Almacenes Peña
cuántos trabajos tengo y cuántos contactos
¿Y si me hubiera quedado en la empresa de Xóchitl Ibáñez?
a quién le escribo primero de mis contactos
Empresas en las que no conozco a nadie
cuánto es 35k brutos al mes en limpio
la de Ñuñoa se cayó
muéstrame cómo negociar una oferta
¿Es mejor híbrido o presencial teniendo niños?
¿Está contratando Grupo Bimbo ahora mismo?
resume mi currículum en dos líneas
"""
