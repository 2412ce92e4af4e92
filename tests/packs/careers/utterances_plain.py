# ruff: noqa: E501 - a label stands beside its sentence
"""What a seventh and an eighth stranger say to a job tracker, in the form of `utterances_told`: plain
requests, with reasons and courtesies around them, names that are hard to read, and sentences for a
model.

Neither writer had seen rules or code. Of the seventh's 60 in each language the rules understood 35,
38, 40 and 40 when they were new (English, German, French, Spanish). The eighth's 50 were kept back
until the rules had been widened with the seventh's: 38, 40, 37 and 43 (36, 36, 37 and 38 before),
and one more was answered in another way. Of the eighth's 200 for a model two were answered wrongly;
left out are three companies that are looked up by name, which go on to a model when nobody's row
has it, what one has not applied to "yet", which is what is saved, and résumés, which are no
documents here.
"""

from __future__ import annotations

ENGLISH = """
list jobs at Harrow & Finch => list jobs company~Harrow & Finch
number of contacts => count contacts
all jobs in Leeds => list jobs location~Leeds
remote jobs => list jobs remote_type=remote
show rejected jobs => list jobs status=rejected
cover letters => list documents kind=cover_letter
list all companies => list companies
how many resumes => count documents kind=resume
contacts at Tidewater Dental => list contacts company~Tidewater Dental
jobs in Cork with status saved => list jobs status=saved location~Cork
count withdrawn jobs => count jobs status=withdrawn
jobs added today => list jobs created_at@today
total number of jobs => count jobs
welder jobs => list jobs title~welder
phone number Priya Raghunathan => lookup contacts *~Priya Raghunathan
status of the 3-Rivers Logistics job => lookup jobs *~3-Rivers Logistics
jobs with a minimum salary of at least 52000 => list jobs salary_min>=52000
top 3 jobs by salary => list jobs by salary_min desc limit 3
number of hybrid jobs in Minneapolis => count jobs remote_type=hybrid location~Minneapolis
my documents => list documents
How many jobs have I applied to this month? => count jobs status>=applied status@this_month
Which jobs am I currently interviewing for? => list jobs status=interviewing
Could you show me the 5 most recently added jobs? => list jobs by created_at desc limit 5
What is Tom van der Berg's email address? => lookup contacts *~Tom van der Berg
When did I apply at Pendle Robotics? => lookup jobs *~Pendle Robotics
Show me all the on-site jobs in Halifax, please. => list jobs remote_type=onsite location~Halifax
How many companies are in my tracker? => count companies
Which jobs were rejected last week? => list jobs status=rejected status@last_week
Please list every bookkeeper job that pays more than 41,000. => list jobs title~bookkeeper salary_min>=41001
Who do I know at Oakley Brothers Timber? => list contacts company~Oakley Brothers Timber
How many contacts do I have at N7 Media? => count contacts company~N7 Media
What does the Larkspur Hotels job pay? => lookup jobs *~Larkspur Hotels
Which jobs did I apply to in September? => list jobs status>=applied status@september
How many jobs did I add last month? => count jobs created_at@last_month
Show me the jobs I have an offer for. => list jobs status=offer
Which company does Dr. Ngozi Adeyemi-Clarke work for? => lookup contacts *~Ngozi Adeyemi-Clarke
Where is the physiotherapist job located? => lookup jobs *~physiotherapist
How many documents have I uploaded so far? => count documents
List the hybrid project manager jobs in Bristol. => list jobs remote_type=hybrid title~project manager location~Bristol
How many rejections have I had from St. Brannoc's Hospital Trust? => count jobs status=rejected company~St. Brannoc's Hospital Trust
hey quick one, how many jobs did i apply for yesterday => count jobs status>=applied status@yesterday
my job coach is asking, how many applications have i sent out in total => count jobs status>=applied
lemme see whatever jobs ive got down for pittsburgh => list jobs location~pittsburgh
ugh how many times have i been rejected this week => count jobs status=rejected status@this_week
gimme the 10 newest jobs => list jobs by created_at desc limit 10
wheres that forklift operator job again => lookup jobs *~forklift operator
gotta ring gareth pugh-williams, whats his number => lookup contacts *~gareth pugh-williams
whats the job at Quill and Kettle sitting at, status wise => lookup jobs *~Quill and Kettle
pull up all the paralegal jobs pls, wife wants to see them => list jobs title~paralegal
which jobs pay over 75k, rent just went up => list jobs salary_min>=75001
can u show me all my CVs => list documents kind=resume
how many jobs am i interviewing for rn => count jobs status=interviewing
show us the jobs i withdrew from, bit curious => list jobs status=withdrawn
what jobs did i add yesterday, i was half asleep => list jobs created_at@yesterday
tax time... every job i applied to in february => list jobs status>=applied status@february
who've i got down as contacts at big sky outfitters => list contacts company~big sky outfitters
how many jobs with Brightwell-Sato Engineering are on my list => count jobs company~Brightwell-Sato Engineering
show me the 2 best paid remote jobs i've got in here, just dreaming => list jobs remote_type=remote by salary_min desc limit 2
how many cover letters have i got knocking about => count documents kind=cover_letter
all the jobs i applied to up in aberdeen, my cousin lives there => list jobs status>=applied location~aberdeen
list jobs at Globex => list jobs company~Globex
how many jobs are in the tracker => count jobs
when did I apply to Initech? => lookup jobs *~Initech
what is Priya Raman's phone number => lookup contacts *~Priya Raman
count cover letters => count documents kind=cover_letter
show all companies => list companies
contacts at Northwind => list contacts company~Northwind
how many jobs are at the offer stage => count jobs status=offer
jobs paying at least 60k => list jobs salary_min>=60000
jobs added this week => list jobs created_at@this_week
how many jobs did I apply to last week? => count jobs status>=applied status@last_week
last 5 jobs added => list jobs by created_at desc limit 5
jobs with nurse in the title => list jobs title~nurse
status of the Contoso job => lookup jobs *~Contoso
Which of my jobs are hybrid? => list jobs remote_type=hybrid
Could you show me the jobs I withdrew from? => list jobs status=withdrawn
How many companies have I got in here? => count companies
What does the Brightwater Academy job pay? => lookup jobs *~Brightwater Academy
Who do I know at Stark Logistics? => list contacts company~Stark Logistics
Which company does Tom Okafor work for? => lookup contacts *~Tom Okafor
Show me every onsite job in Manchester. => list jobs remote_type=onsite location~Manchester
How many jobs in Dublin pay 45,000 or more? => count jobs location~Dublin salary_min>=45000
Which jobs did I add yesterday? => list jobs created_at@yesterday
Which jobs rejected me last month? => list jobs status=rejected status@last_month
How many applications did I send in January? => count jobs status>=applied status@january
Give me all the jobs at St. Mary's Hospital. => list jobs company~St. Mary's Hospital
Where is the job at Pied Piper located? => lookup jobs *~Pied Piper
Please list the data analyst jobs that are remote. => list jobs title~data analyst remote_type=remote
How many documents are stored? => count documents
Can you give me the email address of Maria Lindqvist? => lookup contacts *~Maria Lindqvist
When did I add the forklift operator job? => lookup jobs *~forklift operator
How many driver jobs have I applied to? => count jobs title~driver status>=applied
Which jobs in Boston pay more than 80k? => list jobs location~Boston salary_min>=80001
yo whats up with my wayne enterprises application, where's it at => lookup jobs *~wayne enterprises
Good afternoon, would you be so kind as to tell me how many positions I have applied for so far? Thank you. => count jobs status>=applied
need the number for dana whitfield asap => lookup contacts *~dana whitfield
ok so um can you pull up all the warehouse jobs in Tulsa for me please => list jobs title~warehouse location~Tulsa
how many times have i been rejected so far lol => count jobs status=rejected
gimme the 5 best paid remote jobs => list jobs remote_type=remote by salary_min desc limit 5
so I'm on the bus and just want to see which jobs I applied to today => list jobs status>=applied status@today
I'd be most grateful if you could show me the people I have listed at Riverside College. => list contacts company~Riverside College
hey which jobs did i end up accepting => list jobs status=accepted
just the ones still marked saved pls, jobs i mean => list jobs status=saved
"""

GERMAN = """
Stellen bei Brinkmann & Söhne => list jobs company~Brinkmann & Söhne
Anzahl Firmen => count companies
alle Jobs in Kassel => list jobs location~Kassel
Absagen anzeigen => list jobs status=rejected
Liste der Kontakte => list contacts
Stellen mit Status gespeichert => list jobs status=saved
Remote-Stellen in Graz => list jobs remote_type=remote location~Graz
Anschreiben auflisten => list documents kind=cover_letter
Anzahl Lebensläufe => count documents kind=resume
Kontakte bei der Stadtwerke Unna GmbH => list contacts company~Stadtwerke Unna GmbH
Telefonnummer von Annegret Pohlmann => lookup contacts *~Annegret Pohlmann
Status der Stelle bei Müller-Lüdke Maschinenbau => lookup jobs *~Müller-Lüdke Maschinenbau
Stellen ab 48000 Euro => list jobs salary_min>=48000
die 5 neuesten Stellen => list jobs by created_at desc limit 5
Jobs als Erzieherin => list jobs title~Erzieherin
wie viele Stellen insgesamt => count jobs
im Mai verschickte Bewerbungen => list jobs status>=applied status@may
alle Dokumente zeigen => list documents
hybride Stellen in Winterthur => list jobs remote_type=hybrid location~Winterthur
heute hinzugefügte Jobs => list jobs created_at@today
Wie viele Bewerbungen habe ich letzte Woche verschickt? => count jobs status>=applied status@last_week
Für welche Stellen laufen gerade Vorstellungsgespräche? => list jobs status=interviewing
Wie lautet die E-Mail-Adresse von Herrn von Treskow? => lookup contacts *~von Treskow
Wann habe ich mich bei Alpenkräuter Tirol beworben? => lookup jobs *~Alpenkräuter Tirol
Zeig mir bitte alle Stellen als Steuerfachangestellte in Bielefeld. => list jobs title~Steuerfachangestellte location~Bielefeld
Wie viele Absagen habe ich diesen Monat bekommen? => count jobs status=rejected status@this_month
Welche Firmen sind bei mir erfasst? => list companies
Wen kenne ich bei 4ward Logistik? => list contacts company~4ward Logistik
Welche Jobs zahlen mehr als 62.000 Euro? => list jobs salary_min>=62001
Wie viele Kontakte habe ich bei Kessler Optik? => count contacts company~Kessler Optik
Bitte die drei bestbezahlten Stellen anzeigen. => list jobs by salary_min desc limit 3
Wie hoch ist das Gehalt für die Stelle bei Nordlicht Pflegedienste? => lookup jobs *~Nordlicht Pflegedienste
Welche Stellen habe ich letzten Monat hinzugefügt? => list jobs created_at@last_month
Für welche Firma arbeitet Dr. Leyla Aksoy-Brandt? => lookup contacts *~Leyla Aksoy-Brandt
Auf welche Stellen in Linz habe ich mich beworben? => list jobs status>=applied location~Linz
Wie viele Vor-Ort-Stellen habe ich in der Liste? => count jobs remote_type=onsite
Welche Bewerbungen habe ich zurückgezogen? => list jobs status=withdrawn
Für welche Stellen liegt mir ein Angebot vor? => list jobs status=offer
Wie viele Dokumente sind hinterlegt? => count documents
An welchem Ort ist die Stelle als Uhrmacher? => lookup jobs *~Uhrmacher
moin, wie viele bewerbungen hab ich gestern rausgeschickt => count jobs status>=applied status@yesterday
meine beraterin will ne liste, alle bewerbungen die ich diese woche abgeschickt hab => list jobs status>=applied status@this_week
sag ma wie is die nummer vom Jupp Schmitz-Esser => lookup contacts *~Jupp Schmitz-Esser
wie stehts eigentlich um die stelle bei der bäckerei hinterhuber => lookup jobs *~bäckerei hinterhuber
zeig ma alles was ich an stellen in wuppertal hab => list jobs location~wuppertal
wieviele jobs bei rhein-ruhr 24 stehn bei mir drin => count jobs company~rhein-ruhr 24
wie viele absagen kamen im januar, trau mich kaum zu fragen => count jobs status=rejected status@january
zeig mal die 3 jobs die ich zuletzt eingetragen hab => list jobs by created_at desc limit 3
was zahlen die eigentlich für die stelle als hausmeister => lookup jobs *~hausmeister
such mir mal die hybriden jobs über 55k raus, die miete frisst mich auf => list jobs remote_type=hybrid salary_min>=55001
alle lebensläufe her => list documents kind=resume
wieviel anschreiben hab ich hier eigentlich liegen => count documents kind=cover_letter
wen hab ich alles als kontakt bei der gebrüder sonnleitner kg drin => list contacts company~gebrüder sonnleitner kg
was hab ich gestern an stellen neu eingetragen, weiß es nicht mehr => list jobs created_at@yesterday
zeig ma die lkw-fahrer stellen => list jobs title~lkw-fahrer
wie viele jobs stehen grad auf vorstellungsgespräch => count jobs status=interviewing
wieviele bewerbungen hab ich insgesamt schon verschickt, gefühlt tausend => count jobs status>=applied
grüezi, welche remote-jobs stehen bei mir noch auf gespeichert => list jobs status=saved remote_type=remote
muss dem herrn Özdemir schreiben, wie ist seine mailadresse => lookup contacts *~Özdemir
die absagen von letzter woche bitte, fürs jobcenter => list jobs status=rejected status@last_week
Stellen bei Bosch => list jobs company~Bosch
alle Kontakte anzeigen => list contacts
wann habe ich mich bei Zalando beworben? => lookup jobs *~Zalando
Telefonnummer von Sabine Krüger => lookup contacts *~Sabine Krüger
Jobs in Leipzig => list jobs location~Leipzig
alle Absagen => list jobs status=rejected
wie viele Kontakte sind eingetragen => count contacts
Wie viele Anschreiben gibt es? => count documents kind=cover_letter
Remote-Jobs anzeigen => list jobs remote_type=remote
Stellen ab 50.000 Euro => list jobs salary_min>=50000
Kontakte bei der Nordlicht GmbH => list contacts company~Nordlicht GmbH
die letzten 5 hinzugefügten Jobs => list jobs by created_at desc limit 5
Status der Stelle bei Trumpf => lookup jobs *~Trumpf
Mailadresse von Mehmet Aydin => lookup contacts *~Mehmet Aydin
heute hinzugefügte Stellen => list jobs created_at@today
Stellen als Krankenpfleger => list jobs title~Krankenpfleger
Jobs mit Status Angebot => list jobs status=offer
Wie viele Dokumente habe ich? => count documents
Auf wie viele Stellen habe ich mich diesen Monat beworben? => count jobs status>=applied status@this_month
Welche Jobs habe ich letzte Woche hinzugefügt? => list jobs created_at@last_week
In welcher Stadt ist die Stelle bei der Klinik Hohenfels? => lookup jobs *~Klinik Hohenfels
Was zahlt der Job bei der Spedition Brandl? => lookup jobs *~Spedition Brandl
Bei welcher Firma arbeitet Jonas Petersen? => lookup contacts *~Jonas Petersen
Zeig mir bitte alle hybriden Stellen in Stuttgart. => list jobs remote_type=hybrid location~Stuttgart
Wie viele Absagen kamen gestern rein? => count jobs status=rejected status@yesterday
Wen kenne ich bei Rheinwerk Systems? => list contacts company~Rheinwerk Systems
Welche Stellen in Köln zahlen mehr als 55.000? => list jobs location~Köln salary_min>=55001
Zeig mir die drei Jobs mit dem höchsten Gehalt. => list jobs by salary_min desc limit 3
Wie viele Stellen als Erzieherin habe ich in Bremen? => count jobs title~Erzieherin location~Bremen
Auf welche Stellen habe ich mich im März beworben? => list jobs status>=applied status@march
Für welche Jobs bin ich gerade in Vorstellungsgesprächen? => list jobs status=interviewing
Welche Firmen stehen im Tracker? => list companies
Wie viele Jobs bei Siemens Healthineers sind eingetragen? => count jobs company~Siemens Healthineers
Kannst du mir die Vor-Ort-Stellen in Graz auflisten? => list jobs remote_type=onsite location~Graz
Auf wie viele Stellen habe ich mich insgesamt schon beworben? => count jobs status>=applied
Welche Stellen als Softwareentwickler sind remote? => list jobs title~Softwareentwickler remote_type=remote
Wie steht es um meine Bewerbung bei Viessmann? => lookup jobs *~Viessmann
brauch schnell die nummer von kathrin vogel => lookup contacts *~kathrin vogel
Guten Tag, wären Sie wohl so freundlich, mir mitzuteilen, wie viele Stellen ich bisher erfasst habe? Herzlichen Dank! => count jobs
sag mal wie oft hab ich eigentlich schon ne absage kassiert => count jobs status=rejected
ähm also zeig mir mal bitte alle jobs als lkw-fahrer in kassel => list jobs title~lkw-fahrer location~kassel
moin, auf welche jobs hab ich mich diese woche beworben? => list jobs status>=applied status@this_week
ey wie siehts aus mit dem job bei lidl, was ist da der stand => lookup jobs *~lidl
sitz grad im zug, zeig mal die 10 zuletzt angelegten stellen => list jobs by created_at desc limit 10
Ich hätte gern einmal eine Übersicht aller Personen, die ich bei der Volkshochschule Freiburg als Kontakt hinterlegt habe. => list contacts company~Volkshochschule Freiburg
hab den überblick verloren, wie viele jobs stehen noch auf status gespeichert => count jobs status=saved
zeig ma alle jobs mit 100% homeoffice ab 60k => list jobs remote_type=remote salary_min>=60000
"""

FRENCH = """
postes chez Lambert & Filles => list jobs company~Lambert & Filles
nombre d'entreprises => count companies
tous les postes à Rennes => list jobs location~Rennes
liste des refus => list jobs status=rejected
mes contacts => list contacts
lettres de motivation => list documents kind=cover_letter
nombre de CV => count documents kind=resume
postes en télétravail => list jobs remote_type=remote
postes de soudeur => list jobs title~soudeur
contacts chez Boulangerie du Vieux-Port => list contacts company~Boulangerie du Vieux-Port
mail de Solène Le Goff => lookup contacts *~Solène Le Goff
statut du poste chez Delta-9 Ingénierie => lookup jobs *~Delta-9 Ingénierie
postes à partir de 35000 euros => list jobs salary_min>=35000
les 5 derniers postes ajoutés => list jobs by created_at desc limit 5
candidatures envoyées hier => list jobs status>=applied status@yesterday
postes au statut sauvegardé à Namur => list jobs status=saved location~Namur
combien de postes en tout => count jobs
afficher tous mes documents => list documents
postes hybrides à Lausanne => list jobs remote_type=hybrid location~Lausanne
compter les contacts => count contacts
Combien de candidatures ai-je envoyées la semaine dernière ? => count jobs status>=applied status@last_week
Pour quels postes suis-je actuellement en phase d'entretien ? => list jobs status=interviewing
Quel est le numéro de téléphone de Mme Diallo-Perrin ? => lookup contacts *~Diallo-Perrin
À quelle date ai-je postulé chez Verrerie de l'Escaut ? => lookup jobs *~Verrerie de l'Escaut
Peux-tu m'afficher les postes d'infirmière à Clermont-Ferrand ? => list jobs title~infirmière location~Clermont-Ferrand
Combien de refus ai-je reçus ce mois-ci ? => count jobs status=rejected status@this_month
Quelles entreprises figurent dans mon suivi ? => list companies
Qui sont mes contacts chez Transports Vandamme ? => list contacts company~Transports Vandamme
Quels postes paient plus de 42 000 euros ? => list jobs salary_min>=42001
Combien de contacts ai-je chez Atlas 3000 ? => count contacts company~Atlas 3000
Affiche les trois postes les mieux payés, s'il te plaît. => list jobs by salary_min desc limit 3
Quel salaire propose le poste de tonnelier ? => lookup jobs *~tonnelier
Quels postes ai-je ajoutés le mois dernier ? => list jobs created_at@last_month
Dans quelle entreprise travaille Jean-Baptiste de La Roche ? => lookup contacts *~Jean-Baptiste de La Roche
À quels postes ai-je postulé à Toulouse ? => list jobs status>=applied location~Toulouse
Combien de postes en présentiel ai-je dans ma liste ? => count jobs remote_type=onsite
Quelles candidatures ai-je retirées ? => list jobs status=withdrawn
Pour quels postes ai-je reçu une proposition d'embauche ? => list jobs status>=offer
Combien de lettres de motivation sont enregistrées ? => count documents kind=cover_letter
Dans quelle ville est le poste chez Maison Okonkwo ? => lookup jobs *~Maison Okonkwo
slt jai postulé a combien de postes ce mois ci => count jobs status>=applied status@this_month
ma conseillère france travail veut la liste des candidatures envoyées en mars => list jobs status>=applied status@march
faut que j'appelle karim ben youssef, c'est quoi son num => lookup contacts *~karim ben youssef
ça en est où le poste chez brasserie cassel-nord => lookup jobs *~brasserie cassel-nord
montre moi tout ce que j'ai comme postes sur grenoble => list jobs location~grenoble
j'ai combien de postes chez ferronnerie des 2 rives dans mon tableau => count jobs company~ferronnerie des 2 rives
combien de refus en janvier, juste pour rire (jaune) => count jobs status=rejected status@january
balance les 10 derniers postes que j'ai ajoutés => list jobs by created_at desc limit 10
c'est où déjà le poste de cariste => lookup jobs *~cariste
le loyer augmente, quels postes j'ai en hybride à plus de 50k => list jobs remote_type=hybrid salary_min>=50001
t'aurais pas mes CV ? montre les moi tous => list documents kind=resume
j'ai combien de postes au stade entretien là => count jobs status=interviewing
j'connais qui chez savonnerie k&co => list contacts company~savonnerie k&co
j'ai ajouté quoi comme postes hier, j'étais crevée => list jobs created_at@yesterday
les postes de prof de maths stp => list jobs title~prof de maths
ca fait combien de candidatures envoyées au total, ma mère me harcèle => count jobs status>=applied
ressors moi les postes en télétravail qui sont encore en sauvegardé => list jobs status=saved remote_type=remote
les refus de cette semaine, allez fais moi mal => list jobs status=rejected status@this_week
y a combien de documents là dedans => count documents
au fait j'ai ajouté combien de postes aujourd'hui => count jobs created_at@today
postes chez Capgemini => list jobs company~Capgemini
liste des contacts => list contacts
quand est-ce que j'ai postulé chez Doctolib ? => lookup jobs *~Doctolib
numéro de téléphone de Claire Fontaine => lookup contacts *~Claire Fontaine
tous les postes à Lyon => list jobs location~Lyon
tous mes refus => list jobs status=rejected
liste des lettres de motivation => list documents kind=cover_letter
postes en télétravail complet => list jobs remote_type=remote
postes à partir de 38 000 euros => list jobs salary_min>=38000
contacts chez Veolia => list contacts company~Veolia
statut du poste chez Thales => lookup jobs *~Thales
email de Karim Benali => lookup contacts *~Karim Benali
postes ajoutés cette semaine => list jobs created_at@this_week
postes d'infirmière => list jobs title~infirmière
nombre de documents => count documents
postes hybrides à Nantes => list jobs remote_type=hybrid location~Nantes
postes avec le statut accepté => list jobs status=accepted
À combien de postes ai-je postulé la semaine dernière ? => count jobs status>=applied status@last_week
Quels postes ai-je ajoutés hier ? => list jobs created_at@yesterday
Où se trouve le poste chez Sopra Steria ? => lookup jobs *~Sopra Steria
Combien paie le poste chez Maison Duval ? => lookup jobs *~Maison Duval
Dans quelle entreprise travaille Hugo Marchetti ? => lookup contacts *~Hugo Marchetti
Qui est-ce que je connais chez Transports Rivière ? => list contacts company~Transports Rivière
Combien de refus ai-je reçus le mois dernier ? => count jobs status=rejected status@last_month
De quelles candidatures est-ce que je me suis retiré ? => list jobs status=withdrawn
Montre-moi les postes de comptable à Bordeaux. => list jobs title~comptable location~Bordeaux
Quels postes à Lille paient plus de 42 000 euros ? => list jobs location~Lille salary_min>=42001
Quel est le poste le mieux payé ? => list jobs by salary_min desc limit 1
À quels postes ai-je postulé en février ? => list jobs status>=applied status@february
Pour quels postes suis-je actuellement en entretien ? => list jobs status=interviewing
Quelles entreprises y a-t-il dans mon suivi ? => list companies
Combien de contacts ai-je chez Orange ? => count contacts company~Orange
Combien de postes en présentiel y a-t-il à Toulouse ? => count jobs remote_type=onsite location~Toulouse
Peux-tu afficher les postes qui en sont au stade de l'offre ? => list jobs status=offer
Combien de postes d'ingénieur y a-t-il dans le suivi ? => count jobs title~ingénieur
Où en est ma candidature chez Michelin ? => lookup jobs *~Michelin
Je voudrais voir tous mes documents. => list documents
slt c koi le tel de sophie lambert => lookup contacts *~sophie lambert
Bonjour, auriez-vous l'amabilité de m'indiquer à combien de postes j'ai postulé jusqu'à présent ? Je vous en remercie par avance. => count jobs status>=applied
bon alors euh montre-moi tous les postes de chauffeur à Dijon s'il te plaît => list jobs title~chauffeur location~Dijon
je me suis pris combien de refus en tout mdr => count jobs status=rejected
dis vite fait j'ai postulé à quels postes aujourd'hui => list jobs status>=applied status@today
dis-moi le poste chez decathlon il en est où là => lookup jobs *~decathlon
je suis dans le métro, balance les 10 postes ajoutés en dernier => list jobs by created_at desc limit 10
Pourriez-vous, s'il vous plaît, me montrer les personnes que j'ai notées comme contacts au Lycée Jean Moulin ? => list contacts company~Lycée Jean Moulin
j'ai combien de trucs en tout dans le suivi, les postes je veux dire => count jobs
file-moi tous les jobs 100% télétravail au-dessus de 50k => list jobs remote_type=remote salary_min>=50001
"""

SPANISH = """
empleos en Talleres Urrutia e Hijos => list jobs company~Talleres Urrutia e Hijos
número de empresas => count companies
todos los empleos de Zaragoza => list jobs location~Zaragoza
lista de rechazos => list jobs status=rejected
ver contactos => list contacts
cartas de presentación => list documents kind=cover_letter
cuántos currículums => count documents kind=resume
puestos presenciales => list jobs remote_type=onsite
vacantes de soldador => list jobs title~soldador
contactos en Clínica Dental Sonrisa 32 => list contacts company~Clínica Dental Sonrisa 32
correo de Maite Etxeberria => lookup contacts *~Maite Etxeberria
estado del puesto en Olivares & Peña => lookup jobs *~Olivares & Peña
empleos desde 28000 euros => list jobs salary_min>=28000
los 4 empleos mejor pagados => list jobs by salary_min desc limit 4
candidaturas enviadas hoy => list jobs status>=applied status@today
vacantes en estado guardado => list jobs status=saved
total de empleos => count jobs
mostrar documentos => list documents
cantidad de puestos híbridos en Guadalajara => count jobs remote_type=hybrid location~Guadalajara
empleos añadidos esta semana => list jobs created_at@this_week
¿A cuántos puestos me postulé la semana pasada? => count jobs status>=applied status@last_week
¿Para qué puestos estoy haciendo entrevistas ahora mismo? => list jobs status=interviewing
¿Cuál es el teléfono de la Sra. Quispe Mamani? => lookup contacts *~Quispe Mamani
¿Cuándo envié mi candidatura a Bodegas del Ebro 1898? => lookup jobs *~Bodegas del Ebro 1898
Muéstrame los puestos de enfermera en Valladolid, por favor. => list jobs title~enfermera location~Valladolid
¿Cuántos rechazos recibí el mes pasado? => count jobs status=rejected status@last_month
¿Qué empresas tengo registradas? => list companies
¿A quién conozco en Grupo Mar-Azul? => list contacts company~Grupo Mar-Azul
¿Qué empleos pagan más de 36.000 euros? => list jobs salary_min>=36001
¿Cuántos contactos tengo en Panificadora San Telmo? => count contacts company~Panificadora San Telmo
Enséñame las tres vacantes más recientes que he añadido. => list jobs by created_at desc limit 3
¿Qué sueldo ofrece el puesto de relojero? => lookup jobs *~relojero
¿Cuántas vacantes agregué en octubre? => count jobs created_at@october
¿En qué empresa trabaja Íñigo de la Fuente? => lookup contacts *~Íñigo de la Fuente
¿A qué puestos de Medellín me he postulado? => list jobs status>=applied location~Medellín
¿Cuántos puestos remotos tengo en la lista? => count jobs remote_type=remote
¿De qué procesos me he retirado? => list jobs status=withdrawn
¿Qué puestos he aceptado? => list jobs status=accepted
¿Cuántas cartas de presentación tengo guardadas? => count documents kind=cover_letter
¿En qué ciudad está el puesto de Constructora Peñalver-Ruiz? => lookup jobs *~Constructora Peñalver-Ruiz
buenas, cuantas candidaturas llevo enviadas este mes? => count jobs status>=applied status@this_month
me lo piden en el sepe: todas las candidaturas que envié en abril => list jobs status>=applied status@april
porfa el cel de chuy villalobos que se me borró => lookup contacts *~chuy villalobos
como va el puesto en ferreteria tornillo feliz, sigue igual? => lookup jobs *~ferreteria tornillo feliz
a ver que puestos tengo por bilbao => list jobs location~bilbao
cuantas vacantes tengo anotadas de farmatec 21 => count jobs company~farmatec 21
ay dios, cuantos rechazos hubo en febrero => count jobs status=rejected status@february
pasame los 10 empleos mas nuevos que cargué => list jobs by created_at desc limit 10
el puesto de camarero donde era? => lookup jobs *~camarero
voy justo de pasta, qué puestos híbridos tengo de más de 40k => list jobs remote_type=hybrid salary_min>=40001
sácame todos los cv => list documents kind=resume
en cuantos puestos estoy en entrevistas ahorita => count jobs status=interviewing
quiénes son mis contactos en lópez & mcallister, que mañana los veo => list contacts company~lópez & mcallister
que empleos añadí ayer, ni me acuerdo => list jobs created_at@yesterday
che, mostrame los laburos de diseñador gráfico => list jobs title~diseñador gráfico
cuantas candidaturas he enviado en total, mi madre no para de preguntar => count jobs status>=applied
ponme los empleos remotos de contador en lima => list jobs remote_type=remote title~contador location~lima
los rechazos de ayer, venga, sin anestesia => list jobs status=rejected status@yesterday
cuantos documentos tengo subidos => count documents
dame los 2 puestos de montevideo con mejor sueldo => list jobs location~montevideo by salary_min desc limit 2
empleos de Mercadona => list jobs company~Mercadona
número de contactos => count contacts
lista de empresas => list companies
¿cuándo apliqué a Globant? => lookup jobs *~Globant
teléfono de Lucía Herrera => lookup contacts *~Lucía Herrera
todos los puestos en Valencia => list jobs location~Valencia
puestos con estado rechazado => list jobs status=rejected
cuántas cartas de presentación hay => count documents kind=cover_letter
trabajos remotos => list jobs remote_type=remote
vacantes desde 30.000 euros => list jobs salary_min>=30000
contactos en Telefónica => list contacts company~Telefónica
los últimos 5 empleos agregados => list jobs by created_at desc limit 5
estado del puesto en Indra => lookup jobs *~Indra
correo de Andrés Villalobos => lookup contacts *~Andrés Villalobos
empleos agregados este mes => list jobs created_at@this_month
puestos de enfermera => list jobs title~enfermera
cuántos documentos tengo => count documents
trabajos híbridos en Bogotá => list jobs remote_type=hybrid location~Bogotá
los 3 empleos con mayor salario => list jobs by salary_min desc limit 3
¿Qué vacantes añadí ayer? => list jobs created_at@yesterday
¿En qué ciudad está el trabajo de Transportes Quiroga? => lookup jobs *~Transportes Quiroga
¿Cuánto pagan en el puesto de la Clínica San Rafael? => lookup jobs *~Clínica San Rafael
¿En qué empresa trabaja Rodrigo Paz? => lookup contacts *~Rodrigo Paz
¿A quién conozco en Grupo Bimbo? => list contacts company~Grupo Bimbo
¿De qué candidaturas me retiré? => list jobs status=withdrawn
Muéstrame los puestos de contador en Monterrey. => list jobs title~contador location~Monterrey
¿Qué empleos en Madrid pagan más de 35.000 euros? => list jobs location~Madrid salary_min>=35001
¿A qué trabajos me postulé en enero? => list jobs status>=applied status@january
¿En qué puestos estoy en proceso de entrevistas ahora mismo? => list jobs status=interviewing
¿Cuántas empresas tengo registradas? => count companies
Enséñame los puestos que están en fase de oferta. => list jobs status=offer
¿Cuántos contactos tengo en Softtek? => count contacts company~Softtek
¿Me puedes mostrar los empleos presenciales en Sevilla? => list jobs remote_type=onsite location~Sevilla
¿Cuántos puestos de ingeniero hay en la lista? => count jobs title~ingeniero
¿Cómo va mi candidatura en Iberdrola? => lookup jobs *~Iberdrola
Quiero ver todos los documentos que tengo aquí. => list documents
¿A qué puestos de profesor he enviado mi candidatura? => list jobs title~profesor status>=applied
oye pásame el cel de marisol fuentes => lookup contacts *~marisol fuentes
Buenas tardes, ¿sería usted tan amable de decirme a cuántos empleos he postulado hasta la fecha? Muchas gracias. => count jobs status>=applied
a ver este pues muéstrame todos los trabajos de chofer en Guadalajara por favor => list jobs title~chofer location~Guadalajara
uf cuántas veces me han rechazado ya en total => count jobs status=rejected
voy con prisa, a qué puestos me postulé hoy => list jobs status>=applied status@today
qué onda con la vacante de rappi, en qué va => lookup jobs *~rappi
tírame los 10 trabajos más nuevos que metí => list jobs by created_at desc limit 10
Le agradecería mucho que me mostrara las personas que tengo anotadas como contacto en el Colegio Cervantes. => list contacts company~Colegio Cervantes
nomás dime cuántos trabajos llevo metidos en total => count jobs
pásame todos los puestos remotos de 40k para arriba => list jobs remote_type=remote salary_min>=40000
"""

MODEL = """
hiya, how's it going
should I apply to Harrow & Finch or hold out for something better
write a cover letter for the welder job
add a job at Larkspur Hotels in Leeds
delete all rejected jobs
today I applied to Pendle Robotics
just got rejected by N7 Media, feeling rubbish
tomorrow I'll apply to three remote jobs
if I applied to ten jobs a week how many would I have by June
all jobs except the ones in Leeds
which jobs are not remote
companies I haven't applied to yet
does the Oakley Brothers job pay better than the Tidewater Dental one
have I applied to more jobs this month than last month
how many people work at Rolls-Royce
who is the ceo of Big Sky Outfitters
what do nurses usually earn in Chicago
status of my mortgage application
when was my visa application submitted
what's my position on the waiting list
which of those are hybrid
and the second one, what does it pay
list the jobs in Cork and email them to my brother
how many jobs did my sister apply to last week
move the Quill and Kettle job to interviewing
change Tom van der Berg's phone number to 07700 900412
how do I explain a two-year gap
what should I wear to the interview at St. Brannoc's
cheers, that's all for today
mark everything from last month as rejected
I've got an interview in Halifax on Thursday
is Bristol a nice place to live
how many jobs should I be applying to each week
why do I keep getting rejected
every job apart from the onsite ones
no, I meant the other company
what did you say the salary was
show my saved jobs and my cover letters
count my contacts, then tell me which one to call first
how many resumes does a recruiter read in a day
which jobs is Marcus applying for, my flatmate I mean
shorten my resume to one page
draft a thank-you email to Priya Raghunathan
suppose I accepted the Brightwell offer, would I have to relocate
planning to look at five companies this weekend
are remote jobs better than hybrid ones
which of my offers should I take
how do I get a job at 3-Rivers Logistics
is N7 Media hiring in Minneapolis right now
list some good companies in Portland I could try
did my student loan application get rejected
remind me to call Gareth on Monday
what does withdrawn actually mean
I haven't applied anywhere since Easter
rename my resume to resume_final_2
translate the cover letter into Polish
how many applications can I install on this phone
jobs in Pittsburgh with no salary given
how many jobs were lost in the steel industry last year
you're wrong, there were six
na, alles klar bei dir?
servus und schönen feierabend
soll ich mich bei Kessler Optik bewerben oder lieber nicht
schreib mir ein anschreiben für die stelle als hausmeister
trag bitte eine neue stelle bei Brinkmann & Söhne in Kassel ein
lösch alle absagen
heute hab ich mich bei Nordlicht Pflegedienste beworben
gestern kam die absage von 4ward Logistik, so ein mist
nächste woche will ich fünf bewerbungen rausschicken
wenn ich jeden tag zwei bewerbungen schreibe, wie viele sind das bis weihnachten
alle stellen außer denen in Graz
welche jobs sind nicht remote
bei welchen firmen hab ich mich noch nicht beworben
zahlt Alpenkräuter Tirol besser als die Stadtwerke Unna?
hatte ich im Mai mehr absagen als im Juni
wie viele mitarbeiter hat bosch in stuttgart
wer ist der chef von rhein-ruhr 24
was verdient man als erzieherin in bayern
wie ist der stand meines bafög-antrags
wann hab ich den kredit bei der sparkasse beantragt
auf welcher position spielt musiala
welche davon sind hybrid?
und was zahlt die zweite?
zeig mir die stellen in linz und schick sie meiner frau
wie viele bewerbungen hat mein bruder letzte woche verschickt
setz die stelle bei der bäckerei hinterhuber auf vorstellungsgespräch
ändere die nummer von Annegret Pohlmann auf 0151 2345678
wie erkläre ich eine lücke im lebenslauf
was zieh ich zum vorstellungsgespräch bei müller-lüdke an
danke dir, das wars
verschieb alle gespeicherten jobs nach zurückgezogen
am donnerstag hab ich ein gespräch in bielefeld
lohnt es sich nach winterthur zu ziehen
wie viele bewerbungen pro woche sind normal
warum bekomm ich nur absagen
sämtliche jobs bis auf die vor ort
nee, ich meinte die andere firma
was hattest du vorhin zum gehalt gesagt
zeig meine lebensläufe und zähl die kontakte
liste alle angebote auf und sag mir welches ich nehmen soll
wie lang darf ein lebenslauf sein
auf welche stellen hat sich eigentlich die jana beworben
kürz mein anschreiben auf eine halbe seite
formulier eine dankesmail an herrn von treskow
angenommen ich nehme das angebot an, muss ich dann umziehen?
hab vor, am wochenende drei neue firmen zu recherchieren
ist hybrid besser als homeoffice
wie komm ich an einen job bei den gebrüdern sonnleitner
stellt kessler optik grad leute in jena ein?
nenn mir gute arbeitgeber in leipzig
wurde mein antrag auf elterngeld abgelehnt
erinner mich am montag an den anruf bei herrn özdemir
was heißt eigentlich status gespeichert
seit ostern hab ich keine einzige bewerbung geschrieben
benenn den lebenslauf in lebenslauf_neu um
übersetz das anschreiben ins englische
kann man die bewerbung auch per post schicken
jobs ohne gehaltsangabe in wuppertal
wie viele stellen fallen bei vw weg
stimmt nicht, das waren sechs
coucou ça va bien ?
bon courage et à demain
tu crois que je devrais postuler chez Transports Vandamme
rédige-moi une lettre de motivation pour le poste de cariste
ajoute un poste chez Lambert & Filles à Rennes
supprime tous les refus
j'ai postulé ce matin chez Atlas 3000
encore un refus hier, chez Maison Okonkwo cette fois
la semaine prochaine je compte envoyer dix candidatures
si j'envoyais trois candidatures par jour ça ferait combien à la fin du mois
tous les postes sauf ceux de Toulouse
quels postes ne sont pas en télétravail
les entreprises où je n'ai pas encore postulé
est-ce que le poste de soudeur paie mieux que celui de tonnelier
ai-je eu plus de refus en mars qu'en avril
combien de salariés chez Michelin
c'est qui le patron de la savonnerie k&co
combien gagne une infirmière en Suisse
où en est ma demande de visa
quand ai-je déposé mon dossier de prêt à la banque
à quelle position est l'OM au classement
lesquels sont en hybride parmi ceux-là
et le deuxième, il paie combien
liste les postes à Namur et envoie-les à mon frère
combien de candidatures ma sœur a envoyées cette semaine
passe le poste de la brasserie cassel-nord en entretien
change le numéro de Solène Le Goff, c'est le 06 12 34 56 78
comment expliquer un trou dans mon CV
je mets quoi pour l'entretien chez Delta-9
merci, c'est tout pour aujourd'hui
marque toutes les candidatures de janvier comme refusées
jeudi j'ai un entretien à Lausanne
il fait bon vivre à Grenoble ?
c'est quoi un bon nombre de candidatures par semaine
pourquoi on me refuse toujours
l'ensemble des postes hormis le présentiel
non je parlais de l'autre boîte
tu m'avais dit quoi pour le salaire tout à l'heure
montre mes CV et compte mes contacts
donne-moi les postes hybrides puis dis-moi lequel choisir
un CV doit faire combien de pages
mon coloc Théo, il a postulé où déjà
raccourcis ma lettre de motivation
écris un mail de remerciement à Mme Diallo-Perrin
imaginons que j'accepte la proposition, je dois déménager ?
ce week-end je vais chercher de nouvelles entreprises
le télétravail c'est mieux que l'hybride ?
comment se faire embaucher à la Verrerie de l'Escaut
est-ce que Vandamme recrute en ce moment à Lille
cite-moi des boîtes sympas à Nantes
ma demande de logement a-t-elle été refusée
rappelle-moi d'appeler Karim lundi
ça veut dire quoi le statut retiré
je n'ai rien envoyé depuis Pâques
renomme mon CV en cv_2_final
traduis la lettre en anglais
quelle application pour scanner un document
les postes à Clermont-Ferrand sans salaire indiqué
combien de postes vont être supprimés dans la fonction publique
mais non, il y en avait six
hola guapa, qué tal el día
¿me convendrá postularme a Grupo Mar-Azul?
hazme una carta de presentación para lo de camarero
agrega una vacante en Farmatec 21 en Lima
borra todos los rechazos
hoy eché el currículum en Talleres Urrutia
ayer me rechazaron en Olivares & Peña, qué bajón
la semana que viene pienso mandar ocho candidaturas
si mandara cinco al día, ¿cuántas llevaría a fin de año?
todos los empleos menos los de Bilbao
qué puestos no son presenciales
empresas a las que todavía no me he postulado
¿paga más el de soldador o el de relojero?
¿tuve más rechazos en abril que en mayo?
¿cuántos empleados tiene Inditex?
quién es el dueño de la panificadora san telmo
cuánto gana una enfermera en Chile
cómo va mi solicitud de la visa
¿cuándo pedí la hipoteca en el banco?
en qué puesto va el Betis en la liga
de esos, cuáles son híbridos
y el segundo cuánto paga
lista los puestos de Medellín y mándaselos a mi prima
cuántas candidaturas ha mandado mi hermano este mes
pasa lo de la ferretería a entrevistas
cambia el teléfono de Maite Etxeberria por el 612 345 678
cómo justifico dos años sin trabajar
¿qué me pongo para la entrevista en Bodegas del Ebro?
gracias majo, nada más
marca como rechazadas todas las de febrero
el jueves tengo entrevista en Valladolid
¿se vive bien en Zaragoza?
cuántas candidaturas a la semana es lo normal
por qué siempre me rechazan
todas las vacantes excepto las remotas
no, me refería a la otra empresa
qué me dijiste antes del sueldo
enséñame los cv y cuéntame los contactos
dame los puestos híbridos y dime cuál me conviene
cuántas hojas tiene que tener un currículum
mi compa de piso, a qué puestos se ha apuntado
acorta mi carta a media página
redacta un correo de agradecimiento para la Sra. Quispe Mamani
supón que acepto la oferta, ¿me tendría que mudar a Guadalajara?
este finde quiero buscar empresas nuevas
¿es mejor remoto o híbrido?
qué hago para entrar a trabajar en López & McAllister
¿Peñalver-Ruiz está contratando en Sevilla?
dime empresas buenas de Monterrey
me rechazaron la solicitud de la beca?
recuérdame llamar a chuy el lunes
¿qué significa el estado retirado?
desde semana santa no he mandado nada
ponle al currículum el nombre cv_definitivo
tradúceme la carta al catalán
qué aplicación uso para firmar documentos
los de montevideo que no tienen sueldo puesto
¿cuántos empleos se perdieron en la hostelería el año pasado?
qué va, eran seis
ando harto de este mercado laboral, la neta
should I accept the offer from Globex?
write a cover letter for the nurse job at Mercy General
add a job at Hooli as a backend developer
move the Initech job to interviewing
undo that
I got rejected by Contoso today
Northwind just called, they want me in on Tuesday for an interview
I'm going to apply to five jobs this week
if I withdrew from Globex how many jobs would I have left
which one pays better, Initech or Contoso
do I have more remote jobs than onsite ones
average pay for a dental hygienist
what do truck drivers make in Ohio these days
when did I apply for my car loan
how many visa applications get approved each year
what is Amazon's position on working from home
we offer 50 used office chairs at a low price, any company interested?
are there any good offers on laptops this week
and in Boston?
what about the second one
same thing but only hybrid
list my jobs and also my contacts
how many companies do I have, and what's Tom Okafor's email
how many jobs has my sister applied to
what's the status of my roommate's application at Target
show me my husband's resumes
how do I answer "why do you want to work here"
is my resume too long
draft a thank you email to Priya Raman
change Tom Okafor's phone number to 555 0142
mark Pied Piper as withdrawn
rename my latest resume to final version
remind me to call Dana Whitfield on Friday
jobs without a salary
contacts with no email address
suppose Stark Logistics offered me 70k, would that be decent?
who is the CEO of Nvidia
what documents do I need for a mortgage application
how many jobs did Boeing cut last year
go look on Indeed for new nursing jobs in Denver
translate my cover letter into Spanish
show me my remote jobs and get rid of the rejected ones
is the Riverside College job a better fit for me than the one at St. Mary's
I had three interviews last week and they all went great
every job but the saved ones
Soll ich das Angebot von Bosch annehmen oder noch warten?
Schreib mir ein Anschreiben für die Stelle bei der Klinik Hohenfels
Lösch bitte alle Absagen
trag mal nen neuen job bei dm ein, filialleitung in karlsruhe
Setz Trumpf auf Vorstellungsgespräch
mach das wieder rückgängig
Zalando hat mir heute leider abgesagt
Nächsten Mittwoch hab ich mein Gespräch bei Viessmann
Ich will mich bis Freitag noch auf zehn Stellen bewerben
Wenn ich bei Lidl zurückziehe, wie viele Bewerbungen hätte ich dann noch laufen?
alle Stellen außer denen in Köln
Jobs, bei denen kein Gehalt angegeben ist
Wo habe ich mich noch nicht beworben?
Wer zahlt mehr, Bosch oder Siemens?
Hab ich mehr Absagen als Einladungen?
Erzähl mir was über die Firma Zeiss
Was verdient man als Altenpfleger in Bayern?
Wie viele Mitarbeiter hat die BASF?
Wann habe ich den Kredit bei der Sparkasse beantragt?
Wie lange dauert ein Visumsantrag für Kanada?
Welche Stellung bezieht die Kirche zur Organspende?
Verkaufe gut erhaltenen Schreibtisch, Angebote ab 80 Euro
Gibt es bei Aldi diese Woche Angebote für Kaffee?
an welcher stelle hinterm komma rundet man beim brutto
und in Hamburg?
und davon nur die hybriden
Was war nochmal mit der dritten?
Zeig mir alle Firmen und dazu noch meine Lebensläufe
Wie viele Kontakte habe ich und welche Jobs sind remote?
Wie viele Bewerbungen hat mein Bruder letzte Woche verschickt?
Zeig mir die Stellen, die meine Freundin gespeichert hat
Wie steht es um die Bewerbung meines Sohnes bei der Bundeswehr?
Wie erkläre ich die Lücke in meinem Lebenslauf?
Formuliere eine höfliche Nachfrage an Frau Krüger
Ändere die Mailadresse von Mehmet Aydin auf aydin@beispiel.de
Bitte den Kontakt Jonas Petersen der Rheinwerk Systems zuordnen
nenn den lebenslauf um in cv_2025
Erinnere mich morgen daran, bei der Spedition Brandl anzurufen
Kontakte ohne Telefonnummer
Angenommen, ich bekäme 65.000 in Stuttgart, wie viel bliebe netto?
Warum kriege ich nur Absagen?
Wer ist eigentlich Chef bei der Lufthansa?
Wie viele Stellen baut VW ab?
such auf stepstone nach neuen jobs als mechatroniker
Übersetz meinen Lebenslauf ins Englische
Zeig mir alle Jobs in Leipzig und verschieb sie auf zurückgezogen
Lohnt sich ein Umzug nach Graz für den Job überhaupt?
Das Gespräch gestern lief super, die Chefin war total nett
Alles bis auf die Absagen bitte
Was soll ich zum Vorstellungsgespräch anziehen?
Est-ce que je devrais accepter l'offre de Thales ?
Rédige une lettre de motivation pour le poste chez Maison Duval
ajoute un poste d'aide-soignante à la clinique Pasteur
passe Michelin en entretien
annule ce que tu viens de faire
Doctolib m'a refusé ce matin, dégoûté
J'ai un entretien jeudi à 14 h chez Veolia
je compte envoyer une dizaine de candidatures avant dimanche
Si je me retirais chez Orange, il me resterait combien de candidatures ?
tous les postes sauf ceux à Paris
les contacts qui n'ont pas d'adresse mail
À quels postes je n'ai pas encore postulé ?
Qui paie le mieux entre Capgemini et Sopra Steria ?
J'ai plus de refus que d'entretiens ou l'inverse ?
Combien gagne un kiné débutant en libéral ?
Qui dirige TotalEnergies en ce moment ?
Quand est-ce que j'ai déposé ma demande de prêt à la banque ?
Quels papiers faut-il pour une demande de visa au Japon ?
Quelle est la position du gouvernement sur les retraites ?
Je vends un lot de 20 bureaux, offre valable jusqu'à vendredi
Y a des offres sur les forfaits mobiles en ce moment ?
où est le poste de police le plus proche
comment on installe une application sur mon téléphone
et à Marseille ?
pareil mais seulement les hybrides
c'était quoi déjà le deuxième ?
Montre-moi mes contacts et aussi mes lettres de motivation
Combien j'ai d'entreprises et quel est le mail de Karim Benali ?
À combien de postes ma copine a-t-elle postulé ?
Montre-moi les CV de mon frère
Où en est la candidature de ma fille chez L'Oréal ?
Comment parler de mes défauts en entretien ?
Relis mon CV et dis-moi ce qui cloche
Écris un petit mail de relance à Claire Fontaine
change le numéro de Hugo Marchetti, c'est le 06 12 00 34 56 maintenant
mets le salaire du poste chez Decathlon à 31 000
renomme mon dernier CV en version_finale
rappelle-moi de téléphoner à Transports Rivière lundi
les postes où le salaire n'est pas indiqué
Imaginons qu'on me propose 45k à Nantes, ce serait correct ?
Pourquoi je ne reçois que des refus ?
Combien d'emplois ont été supprimés chez Renault l'an dernier ?
va chercher des annonces d'infirmière sur Indeed
Traduis ma lettre en anglais
affiche les postes à Lille puis supprime-les
Le poste à Bordeaux est-il plus intéressant pour moi que celui de Lyon ?
L'entretien d'hier s'est vraiment bien passé
tout à part les postes en présentiel
¿Me conviene aceptar la oferta de Indra?
Hazme una carta de presentación para la Clínica San Rafael
borra todos los rechazados
agrega una vacante de mesera en Sanborns
pasa lo de Globant a entrevista
deshaz lo último
Hoy me llamaron de Mercadona para decirme que no
El lunes tengo entrevista con Grupo Bimbo a las diez
esta semana pienso mandar unas quince solicitudes
Si me saliera del proceso de Iberdrola, ¿cuántas candidaturas me quedarían?
todos los empleos menos los de Madrid
contactos que no tengan teléfono
¿A cuáles todavía no me he postulado?
¿Quién paga más, Softtek o Globant?
¿Tengo más trabajos remotos o presenciales?
¿Cuánto gana un electricista en Chile?
¿Quién fundó Mercado Libre?
¿Cuándo solicité el préstamo del carro?
¿Cuánto tarda la solicitud de visa de turista a Estados Unidos?
¿En qué puesto quedó el Barça la temporada pasada?
Ofrezco sillas de oficina usadas, buen precio por mayoreo
¿Qué ofertas hay en televisores para el Buen Fin?
¿cuál es la postura de la OMS sobre el trabajo nocturno?
qué aplicación me recomiendas para editar fotos
¿y en Barcelona?
lo mismo pero solo los híbridos
¿cómo era el segundo?
Dame la lista de empresas y de paso mis currículums
¿Cuántos contactos tengo y cuál es el correo de Rodrigo Paz?
¿A cuántos trabajos se ha postulado mi hermana?
Enséñame las cartas de presentación de mi novio
¿Cómo va la solicitud de mi hijo en Correos?
¿Qué digo cuando me pregunten por qué dejé mi último trabajo?
Revisa mi currículum, siento que está muy largo
Redacta un correo de agradecimiento para Lucía Herrera
cámbiale el teléfono a Marisol Fuentes, ahora es 55 1234 0000
ponle 32.000 de salario al puesto de Telefónica
cambia el nombre de mi currículum a cv_nuevo
recuérdame llamar a Transportes Quiroga el jueves
los puestos que no dicen cuánto pagan
Suponiendo que me ofrezcan 40k en Sevilla, ¿estaría bien?
¿Por qué siempre me rechazan?
¿Cuántos empleos se perdieron en México el año pasado?
búscame en LinkedIn vacantes nuevas de contador
Traduce mi carta al inglés
muéstrame los de Valencia y luego elimínalos
¿Qué es mejor para mí, el colegio o la academia?
Ayer me fue súper bien en la entrevista con Rappi
todo excepto lo presencial
"""
