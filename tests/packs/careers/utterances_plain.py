# ruff: noqa: E501 - a label stands beside its sentence
"""What a seventh stranger says to a job tracker, in the form of `utterances_told`: plain requests, with
reasons and courtesies around them, names that are hard to read, and sentences for a model.

Their writer had seen neither rules nor code; they were looked at once they had been measured.
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
Pour quels postes ai-je reçu une proposition d'embauche ? => list jobs status=offer
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
"""
