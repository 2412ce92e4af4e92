# ruff: noqa: E501 - a label stands beside its sentence
"""What strangers say to a job tracker: two sets by writers who had seen neither rules nor code, in
the form of `utterances_kept_back`. The fast paths understood, of about 110 each, before a rule was
changed for half of the first set: English 44, German 37, French 22, Spanish 22; after it 71, 59, 57
and 52. None of MODEL was answered. The labels of 13 sentences follow our words ("my applications"
are all jobs, "over 60k" is more than 60,000, who rejected whom is looked up); where a rule was wrong
the rule went.
"""

from __future__ import annotations

ENGLISH = """
how many applications have i sent out so far => count jobs status>=applied
how many did i apply to this week? => count jobs status>=applied status@this_week
number of rejections => count jobs status=rejected
ok so how many times have i been rejected lol => count jobs status=rejected
How many jobs have I got saved? => count jobs status=saved
how many offers do i have => count jobs status=offer
have i applied to Tesco already? => count jobs company~Tesco status>=applied
did i ever send anything to the NHS => count jobs company~the NHS status>=applied
hey quick one, how many jobs are in here total? => count jobs
how many remote ones have i saved => count jobs remote_type=remote status=saved
how many rejections did i get last month => count jobs status=rejected status@last_month
any offers yet?? => count jobs status=offer
how many companies am i tracking => count companies
how many people are in my contacts => count contacts
how many cover letters do i have => count documents kind=cover_letter
how many jobs pay over 60k => count jobs salary_min>=60001
did anyone reject me today => count jobs status=rejected status@today
how many interviews have i got going at the moment => count jobs status=interviewing
jobs in manchester, how many? => count jobs location~manchester
how many project manager jobs have i applied for => count jobs status>=applied title~project manager
just curious how many jobs i added yesterday => count jobs created_at@yesterday
how many applications did I put in in October? => count jobs status>=applied status@october
show me everything i've applied to => list jobs status>=applied
list all my jobs please => list jobs
which ones am i interviewing for rn => list jobs status=interviewing
who rejected me? which companies => list companies status=rejected
what remote jobs do i have => list jobs remote_type=remote
pull up my saved jobs => list jobs status=saved
can you show me the jobs in Chicago => list jobs location~Chicago
what did i apply to last week? => list jobs status>=applied status@last_week
show my last 5 jobs added => list jobs by created_at desc limit 5
top 3 highest paying jobs on my list => list jobs by salary_min desc limit 3
who do i know at Deloitte => list contacts company~Deloitte
give me all my contacts => list contacts
show me my resumes => list documents kind=resume
cover letters pls => list documents kind=cover_letter
I wanna see the rejected ones from this month => list jobs status=rejected status@this_month
any hybrid jobs in london that i saved? show me => list jobs location~london remote_type=hybrid status=saved
what are the nurse jobs ive got => list jobs title~nurse
let me see jobs paying at least 45,000 => list jobs salary_min>=45000
which jobs did i withdraw from again => list jobs status=withdrawn
sort my jobs by salary, highest first => list jobs by salary_min desc
all amazon jobs i have in here => list jobs company~amazon
list the companies ive applied to => list companies status>=applied
whats going on with the Starbucks application => lookup jobs *~Starbucks
what's the status of my Barclays job? => lookup jobs *~Barclays
when did i apply to target => lookup jobs *~target
do you have Karen Mitchell's phone number => lookup contacts *~Karen Mitchell
whats dave olsen's email => lookup contacts *~dave olsen
how much does the HubSpot one pay => lookup jobs *~HubSpot
where's the Walgreens job located? => lookup jobs *~Walgreens
is the Etsy position remote or in office => lookup jobs *~Etsy
which company does Priya Shah work for => lookup contacts *~Priya Shah
whats the salary on the warehouse supervisor one => lookup jobs *~warehouse supervisor
what was the job title at pfizer again? => lookup jobs *~pfizer
did home depot reject me or is that still open => lookup jobs *~home depot
i need tom's number => lookup contacts *~tom
what does Angela Reyes do, like whats her role => lookup contacts *~Angela Reyes
when did i add the Costco job => lookup jobs *~Costco
where do things stand with Lloyds => lookup jobs *~Lloyds
how many jobs have i applied to so far => count jobs status>=applied
How many applications do I have? => count jobs
how many rejections did i get this month => count jobs status=rejected status@this_month
any offers yet? => count jobs status>=offer
number of interviews ive had => count jobs status>=interviewing
how many did i apply to last week => count jobs status>=applied status@last_week
how many remote jobs are in here => count jobs remote_type=remote
total saved jobs? => count jobs status=saved
how many contacts do i have at Deloitte => count contacts company~Deloitte
Have I applied anywhere today? => count jobs status>=applied status@today
how many different companies have I applied to => count companies status>=applied
how many of my jobs pay over 80k => count jobs salary_min>=80001
did amazon reject me => lookup jobs *~amazon
how many cover letters have i got now lol => count documents kind=cover_letter
so how many am I still waiting to hear back from => count jobs status=applied
how many nurse jobs in Leeds have i got => count jobs location~Leeds title~nurse
how many have I withdrawn from => count jobs status=withdrawn
show me all my jobs => list jobs
what have I applied for this week => list jobs status>=applied status@this_week
jobs ive been rejected from => list jobs status=rejected
which companies turned me down => list companies status=rejected
list hybrid jobs in Manchester => list jobs location~Manchester remote_type=hybrid
whats in my saved list => list jobs status=saved
Can you pull up everything in chicago please => list jobs location~chicago
last 5 jobs i added => list jobs by created_at desc limit 5
top 3 best paying ones => list jobs by salary_min desc limit 3
who do i know at Pfizer => list contacts company~Pfizer
contacts a to z => list contacts by name
which ones am i interviewing for right now => list jobs status=interviewing
show cover letters => list documents kind=cover_letter
project manager roles that are fully remote => list jobs remote_type=remote title~project manager
what did I add yesterday? => list jobs created@yesterday
lemme see the offers i got => list jobs status>=offer
Everything I applied to in October. => list jobs status>=applied status@october
remote stuff paying at least 55k that i only saved => list jobs remote_type=remote salary_min>=55000 status=saved
status of my tesco application => lookup jobs *~tesco
When did I apply to Spotify? => lookup jobs *~Spotify
whats the pay on the Barclays one => lookup jobs *~Barclays
is the zendesk job remote or hybrid => lookup jobs *~zendesk
where is the Kroger job again => lookup jobs *~Kroger
priya sharmas number? => lookup contacts *~priya sharma
what's Mike Donnelly's email => lookup contacts *~Mike Donnelly
who does Sarah Klein work for => lookup contacts *~Sarah Klein
do i have a phone number for denise carter => lookup contacts *~denise carter
what stage am i at with Revolut => lookup jobs *~Revolut
when did i add the warehouse supervisor job => lookup jobs *~warehouse supervisor
Tom Bradley, what's his role there? => lookup contacts *~Tom Bradley
what was the job title at hubspot => lookup jobs *~hubspot
What date did I get rejected by Lockheed => lookup jobs *~Lockheed
"""

GERMAN = """
wie viele bewerbungen hab ich schon raus => count jobs status>=applied
Wie viele Absagen habe ich bisher bekommen? => count jobs status=rejected
wieviele absagen eigentlich diesen monat => count jobs status=rejected status@this_month
Auf wie viele Stellen habe ich mich letzte Woche beworben? => count jobs status>=applied status@last_week
hab ich mich schon bei Bosch beworben? => count jobs company~Bosch status>=applied
sag mal, hab ich bei der Telekom schon mal was hingeschickt => count jobs company~Telekom status>=applied
wieviel jobs hab ich gespeichert => count jobs status=saved
Anzahl Bewerbungen => count jobs
gibts schon ne zusage? => count jobs status=offer
wie viele angebote liegen mir denn gerade vor => count jobs status=offer
wie viele Stellen stehen insgesamt drin => count jobs
wieviele homeoffice jobs habe ich => count jobs remote_type=remote
Wie viele Stellen in München hab ich auf der Liste? => count jobs location~München
wie viele laufende vorstellungsgespräche hab ich grad => count jobs status=interviewing
hat mir heute schon wieder jemand abgesagt? => count jobs status=rejected status@today
wie viele kontakte hab ich eigentlich gespeichert => count contacts
wie viele Firmen sind das inzwischen? also alle zusammen => count companies
wieviele anschreiben hab ich => count documents kind=cover_letter
wie viele jobs zahlen mindestens 50.000 => count jobs salary_min>=50000
Wie oft hab ich mich im Oktober beworben => count jobs status>=applied status@october
wie viele jobs hab ich gestern eingetragen => count jobs created_at@yesterday
wie viele stellen als Buchhalterin hab ich mir gemerkt => count jobs status=saved title~Buchhalterin
zeig mir mal alle bewerbungen => list jobs
Bitte alle Jobs auflisten => list jobs
wo hab ich mich überall beworben? => list jobs status>=applied
welche firmen haben mir abgesagt => list companies status=rejected
zeig die absagen von letztem monat => list jobs status=rejected status@last_month
Welche Stellen hab ich mir gespeichert? => list jobs status=saved
bei wem bin ich grad im bewerbungsgespräch, welche firmen sind das => list companies status=interviewing
was hab ich denn in hamburg => list jobs location~hamburg
alle remote stellen bitte => list jobs remote_type=remote
ich will die hybriden jobs in Köln sehen => list jobs location~Köln remote_type=hybrid
was hab ich diese woche abgeschickt? => list jobs status>=applied status@this_week
die letzten 10 stellen die ich hinzugefuegt hab => list jobs by created_at desc limit 10
welche 3 jobs zahlen am besten => list jobs by salary_min desc limit 3
jobs ab 60k => list jobs salary_min>=60000
Wen kenne ich bei Lidl? => list contacts company~Lidl
meine kontakte => list contacts
zeig mir doch mal meine lebensläufe => list documents kind=resume
Anschreiben anzeigen => list documents kind=cover_letter
welche bewerbungen hab ich zurückgezogen => list jobs status=withdrawn
gib mir alles von siemens => list jobs company~siemens
Stellen als Erzieherin in Leipzig, zeig mal => list jobs location~Leipzig title~Erzieherin
sortier mir die jobs nach gehalt, das höchste oben => list jobs by salary_min desc
wie siehts bei Rewe aus => lookup jobs *~Rewe
Was ist der Stand bei der Allianz? => lookup jobs *~Allianz
wann hab ich mich nochmal bei Zalando beworben => lookup jobs *~Zalando
hast du die nummer von Frau Brandt? => lookup contacts *~Brandt
wie lautet die mail von Stefan Krüger => lookup contacts *~Stefan Krüger
wieviel zahlt die stelle bei DHL => lookup jobs *~DHL
wo ist der job bei Continental nochmal? => lookup jobs *~Continental
ist das bei SAP homeoffice oder vor ort => lookup jobs *~SAP
bei welcher firma ist Sabine Vogel denn => lookup contacts *~Sabine Vogel
was wär das gehalt bei der stelle als Filialleiter => lookup jobs *~Filialleiter
haben die von Ikea mir jetzt abgesagt oder läuft das noch => lookup jobs *~Ikea
brauch mal kurz die telefonnummer von markus => lookup contacts *~markus
als was hatte ich mich bei dm beworben? => lookup jobs *~dm
welche rolle hat Julia Neumann => lookup contacts *~Julia Neumann
Wann hab ich die Stelle bei Vaillant eingetragen? => lookup jobs *~Vaillant
status Commerzbank? => lookup jobs *~Commerzbank
wie viele bewerbungen hab ich schon rausgeschickt => count jobs status>=applied
Wie viele Bewerbungen habe ich insgesamt? => count jobs
wieviele absagen hab ich bis jetzt => count jobs status=rejected
anzahl absagen diesen monat => count jobs status=rejected status@this_month
hab ich irgendwo schon ne zusage => count jobs status>=offer
Wie oft war ich schon im Vorstellungsgespräch? => count jobs status>=interviewing
wie oft hab ich mich letzte woche beworben => count jobs status>=applied status@last_week
wie viele kontakte hab ich eigentlich => count contacts
gibts absagen von bosch? => count jobs company~bosch status=rejected
wie viele stellen hab ich gespeichert aber noch nix gemacht => count jobs status=saved
Bei wie vielen Firmen hab ich mich beworben => count companies status>=applied
wie viele jobs sind komplett homeoffice => count jobs remote_type=remote
wie viele Stellen in Köln zahlen mehr als 50000 => count jobs location~Köln salary_min>=50001
wieviele anschreiben sind gespeichert => count documents kind=cover_letter
Auf wie viele Antworten warte ich denn noch? => count jobs status=applied
wie viele hab ich selber zurückgezogen => count jobs status=withdrawn
wie viele buchhalter stellen hab ich drin => count jobs title~buchhalter
hab ich mich heute schon irgendwo beworben => count jobs status>=applied status@today
zeig mal alle meine bewerbungen => list jobs
Zeig mir bitte die gemerkten Stellen => list jobs status=saved
wo hab ich mich diese woche beworben => list jobs status>=applied status@this_week
alle jobs in muenchen => list jobs location~muenchen
Stellen in Hamburg mit Homeoffice, also hybrid => list jobs location~Hamburg remote_type=hybrid
wo läuft grad noch ein gespräch => list jobs status=interviewing
wen kenn ich bei der Telekom => list contacts company~Telekom
meine ansprechpartner alphabetisch => list contacts by name
die letzten 10 die ich eingetragen hab => list jobs by created_at desc limit 10
welche 5 jobs zahlen am meisten => list jobs by salary_min desc limit 5
liste meiner anschreiben => list documents kind=cover_letter
Absagen von letztem Monat anzeigen => list jobs status=rejected status@last_month
was hab ich gestern hinzugefügt => list jobs created@yesterday
stellen als Pflegefachkraft => list jobs title~Pflegefachkraft
Alles ab 60k bitte => list jobs salary_min>=60000
wo hab ich ein angebot bekommen => list jobs status>=offer
vor ort jobs in leipzig auf die ich mich beworben hab => list jobs location~leipzig remote_type=onsite status>=applied
wie ist der stand bei Lufthansa => lookup jobs *~Lufthansa
Wann habe ich mich bei Rossmann beworben? => lookup jobs *~Rossmann
was zahlt die stelle bei dm => lookup jobs *~dm
email von frau Krüger? => lookup contacts *~Krüger
telefonnummer thomas weber => lookup contacts *~thomas weber
Bei welcher Firma arbeitet Sabine Hoffmann nochmal => lookup contacts *~Sabine Hoffmann
ist der job bei zalando remote? => lookup jobs *~zalando
wo ist nochmal die stelle bei Continental, welche stadt => lookup jobs *~Continental
hat sich bei edeka was getan => lookup jobs *~edeka
wie hieß die stelle bei Fielmann genau => lookup jobs *~Fielmann
Welche Position hat Jürgen Maier? => lookup contacts *~Jürgen Maier
seit wann hab ich die Sachbearbeiter Stelle drin => lookup jobs *~Sachbearbeiter
wann kam die absage von henkel => lookup jobs *~henkel
hab ich ne nummer von Aylin Demir => lookup contacts *~Aylin Demir
"""

FRENCH = """
j'ai envoyé combien de candidatures => count jobs status>=applied
Combien de refus j'ai eu en tout ? => count jobs status=rejected
combien de candidatures cette semaine => count jobs status>=applied status@this_week
jai postulé a combien d'offres le mois dernier => count jobs status>=applied status@last_month
est-ce que j'ai déjà postulé chez Decathlon ? => count jobs company~Decathlon status>=applied
j'ai deja envoyé un truc à la SNCF ou pas => count jobs company~la SNCF status>=applied
y a combien d'offres enregistrées => count jobs status=saved
nombre de refus => count jobs status=rejected
Bonjour, combien d'annonces j'ai au total svp => count jobs
combien de postes en télétravail j'ai => count jobs remote_type=remote
combien d'entretiens en cours => count jobs status=interviewing
on m'a fait des propositions ? combien => count jobs status=offer
j'ai combien de contacts en fait => count contacts
Combien d'entreprises dans ma liste ? => count companies
combien de lettres de motivation j'ai là dedans => count documents kind=cover_letter
combien de postes à Lyon => count jobs location~Lyon
combien paient plus de 35000 => count jobs salary_min>=35001
j'ai reçu des refus aujourd'hui ? => count jobs status=rejected status@today
combien de refus en octobre => count jobs status=rejected status@october
combien d'offres de comptable j'ai mis de côté => count jobs status=saved title~comptable
j'ai ajouté combien d'annonces hier => count jobs created_at@yesterday
combien de fois j'ai abandonné une candidature au final => count jobs status=withdrawn
montre moi toutes mes candidatures => list jobs
la liste de toutes les offres stp => list jobs
j'ai postulé où déjà ? => list jobs status>=applied
quelles boites m'ont refusé => list companies status=rejected
affiche les refus de ce mois => list jobs status=rejected status@this_month
Quelles offres j'ai sauvegardées ? => list jobs status=saved
je suis en entretien avec quelles entreprises en ce moment => list companies status=interviewing
tu peux me sortir les postes sur Bordeaux => list jobs location~Bordeaux
les offres en full remote svp => list jobs remote_type=remote
jobs hybrides à Nantes => list jobs location~Nantes remote_type=hybrid
à quoi j'ai postulé la semaine dernière => list jobs status>=applied status@last_week
les 5 dernieres annonces que j'ai ajoutées => list jobs by created_at desc limit 5
c'est quoi les 3 postes les mieux payés => list jobs by salary_min desc limit 3
montre ceux à 40k minimum => list jobs salary_min>=40000
qui je connais chez L'Oréal ? => list contacts company~L'Oréal
mes contacts => list contacts
fais voir mes cv => list documents kind=resume
Je voudrais voir mes lettres de motivation => list documents kind=cover_letter
tout ce que j'ai chez carrefour => list jobs company~carrefour
les postes d'infirmière que j'ai repérés à Toulouse => list jobs location~Toulouse status=saved title~infirmière
trie les offres par salaire du plus haut au plus bas => list jobs by salary_min desc
j'ai eu des offres de qui ? donne moi les entreprises => list companies status=offer
ça en est où avec Leroy Merlin ? => lookup jobs *~Leroy Merlin
c'est quoi le statut de ma candidature chez Michelin => lookup jobs *~Michelin
j'ai postulé quand chez Orange deja => lookup jobs *~Orange
tu as le numéro de Sophie Garnier ? => lookup contacts *~Sophie Garnier
il me faut le mail de julien morel => lookup contacts *~julien morel
ils paient combien chez Danone => lookup jobs *~Danone
le poste chez Airbus c'est où exactement => lookup jobs *~Airbus
Le job chez Doctolib est en télétravail ou sur place ? => lookup jobs *~Doctolib
Claire Dubois elle bosse dans quelle boîte déjà => lookup contacts *~Claire Dubois
quel salaire pour le poste de chef de rayon => lookup jobs *~chef de rayon
Auchan m'a refusé ou c'est encore en cours => lookup jobs *~Auchan
file moi le tel de karim => lookup contacts *~karim
c'était quoi l'intitulé du poste chez Veolia ? => lookup jobs *~Veolia
c'est quoi le rôle de Nathalie Petit => lookup contacts *~Nathalie Petit
quand est ce que j'ai ajouté l'annonce de la fnac => lookup jobs *~fnac
et Renault, des nouvelles ? => lookup jobs *~Renault
combien de candidatures j'ai envoyées en tout => count jobs status>=applied
j'ai combien de candidatures => count jobs
Combien de refus ce mois-ci ? => count jobs status=rejected status@this_month
j'ai eu combien d'entretiens jusqu'a maintenant => count jobs status>=interviewing
est ce que j'ai postulé qqpart aujourd'hui => count jobs status>=applied status@today
combien d'offres enregistrées => count jobs status=saved
jai postulé a combien de postes la semaine derniere => count jobs status>=applied status@last_week
combien de boîtes m'ont dit non => count companies status=rejected
Combien de contacts ai-je chez Capgemini ? => count contacts company~Capgemini
nombre de contacts => count contacts
y a combien de postes a lyon => count jobs location~lyon
combien sont en télétravail complet => count jobs remote_type=remote
j'ai reçu des propositions d'embauche ou pas encore => count jobs status>=offer
combien j'ai de lettres de motiv => count documents kind=cover_letter
Combien d'annonces à plus de 40k => count jobs salary_min>=40001
des refus de chez Decathlon ? => count jobs company~Decathlon status=rejected
combien de postes de comptable j'ai ajoutés ce mois ci => count jobs created@this_month title~comptable
il y en a combien qui m'ont pas encore répondu => count jobs status=applied
où est-ce que j'ai postulé cette semaine ? => list jobs status>=applied status@this_week
liste des refus => list jobs status=rejected
quelles entreprises m'ont refusé => list companies status=rejected
mes contacts stp => list contacts
je connais qui chez Orange => list contacts company~Orange
les jobs en hybride sur Nantes => list jobs location~Nantes remote_type=hybrid
affiche les offres sauvegardées => list jobs status=saved
les 5 dernières annonces que j'ai ajoutées => list jobs by created_at desc limit 5
les postes les mieux payés d'abord => list jobs by salary_min desc
Pourriez-vous m'afficher mes lettres de motivation ? => list documents kind=cover_letter
entretiens en cours => list jobs status=interviewing
ceux ou j'ai candidaté en octobre => list jobs status>=applied status@october
postes d'assistante de direction => list jobs title~assistante de direction
Quels postes j'ai abandonnés => list jobs status=withdrawn
c'est quoi les trucs que j'ai mis hier => list jobs created@yesterday
télétravail et minimum 35000 => list jobs remote_type=remote salary_min>=35000
toutes les boites ou j'ai postulé par ordre alphabetique => list companies status>=applied by name
ou ça en est avec la SNCF => lookup jobs *~SNCF
Quand est-ce que j'ai postulé chez Leroy Merlin ? => lookup jobs *~Leroy Merlin
c'est combien le salaire chez Doctolib => lookup jobs *~Doctolib
le mail de julie moreau => lookup contacts *~julie moreau
t'as le numéro de Karim Benali ? => lookup contacts *~Karim Benali
Pour quelle société travaille Sophie Lefèvre => lookup contacts *~Sophie Lefèvre
le poste chez airbus c'est a quel endroit deja => lookup jobs *~airbus
est-ce que l'annonce de BlaBlaCar est en télétravail => lookup jobs *~BlaBlaCar
statut carrefour => lookup jobs *~carrefour
c'était quoi l'intitulé du poste chez Michelin => lookup jobs *~Michelin
elle fait quoi comme poste Nathalie Girard => lookup contacts *~Nathalie Girard
quand j'ai ajouté l'offre de chargé de clientèle => lookup jobs *~chargé de clientèle
j'ai une réponse de Boulanger ? => lookup jobs *~Boulanger
téléphone de M. Dubreuil svp => lookup contacts *~Dubreuil
"""

SPANISH = """
cuantas solicitudes he mandado ya => count jobs status>=applied
¿A cuántos trabajos me he apuntado esta semana? => count jobs status>=applied status@this_week
cuantos rechazos llevo => count jobs status=rejected
cuántas veces me han dicho que no este mes => count jobs status=rejected status@this_month
ya me postulé en Mercadona? => count jobs company~Mercadona status>=applied
oye he echado ya el curriculum en zara o no => count jobs company~zara status>=applied
cuantas ofertas tengo guardadas => count jobs status=saved
número de candidaturas enviadas => count jobs status>=applied
cuántos trabajos hay en total en la lista? => count jobs
cuantos son remotos => count jobs remote_type=remote
en cuantas entrevistas estoy ahora mismo => count jobs status=interviewing
me ha hecho oferta alguien? => count jobs status=offer
cuántos contactos tengo guardados => count contacts
Cuantas empresas hay apuntadas => count companies
cuantas cartas de presentacion tengo => count documents kind=cover_letter
cuántos puestos tengo en Valencia => count jobs location~Valencia
cuantos pagan más de 30000 => count jobs salary_min>=30001
me rechazó alguien ayer? => count jobs status=rejected status@yesterday
a cuantas ofertas apliqué en octubre => count jobs status>=applied status@october
cuantas de camarero he guardado, dime => count jobs status=saved title~camarero
¿cuántas ofertas añadí la semana pasada? => count jobs created_at@last_week
cuantos rechazos tuve el mes pasado porfa => count jobs status=rejected status@last_month
enséñame todas mis candidaturas => list jobs
lista de todos los trabajos => list jobs
a donde he aplicado ya? => list jobs status>=applied
qué empresas me han rechazado => list companies status=rejected
a ver los rechazos de la semana pasada => list jobs status=rejected status@last_week
muéstrame lo que tengo guardado de trabajos => list jobs status=saved
con que empresas estoy en proceso de entrevistas => list companies status=interviewing
qué tengo en Monterrey => list jobs location~Monterrey
los de teletrabajo porfa => list jobs remote_type=remote
Quiero ver los híbridos en Madrid => list jobs location~Madrid remote_type=hybrid
a qué me apunté esta semana? => list jobs status>=applied status@this_week
las ultimas 5 ofertas que agregué => list jobs by created_at desc limit 5
cuáles son los 3 que mejor pagan => list jobs by salary_min desc limit 3
pásame los que sean de 25.000 para arriba => list jobs salary_min>=25000
a quien conozco en Telefónica => list contacts company~Telefónica
mis contactos => list contacts
dame mis cvs => list documents kind=resume
puedes enseñarme las cartas de presentación? => list documents kind=cover_letter
todo lo de amazon => list jobs company~amazon
los puestos presenciales de enfermera en Sevilla => list jobs location~Sevilla remote_type=onsite title~enfermera
ordename los trabajos por sueldo de mayor a menor => list jobs by salary_min desc
de cuales me retiré yo => list jobs status=withdrawn
cómo va lo de Iberdrola? => lookup jobs *~Iberdrola
en qué estado está la de BBVA => lookup jobs *~BBVA
cuando apliqué en bimbo => lookup jobs *~bimbo
tienes el telefono de Laura Jiménez? => lookup contacts *~Laura Jiménez
cuál era el correo de pablo ortega => lookup contacts *~pablo ortega
cuánto pagan en Indra => lookup jobs *~Indra
Dónde queda el trabajo de Cemex? => lookup jobs *~Cemex
el de Glovo es remoto o presencial => lookup jobs *~Glovo
en qué empresa estaba Marta Ruiz? => lookup contacts *~Marta Ruiz
que sueldo tiene el de jefe de almacén => lookup jobs *~jefe de almacén
me rechazaron en Ikea o sigue abierto eso => lookup jobs *~Ikea
dame el num de javi => lookup contacts *~javi
de qué era el puesto en Repsol, no me acuerdo => lookup jobs *~Repsol
qué cargo tiene Diego Salas => lookup contacts *~Diego Salas
cuando guardé la oferta de Mapfre => lookup jobs *~Mapfre
y lo de carrefour, hay algo? => lookup jobs *~carrefour
a cuantos trabajos he aplicado => count jobs status>=applied
¿Cuántas candidaturas tengo en total? => count jobs
cuántas entrevistas he tenido hasta ahora => count jobs status>=interviewing
cuantas postulaciones mandé la semana pasada => count jobs status>=applied status@last_week
tengo alguna oferta en firme ya?? => count jobs status>=offer
cuantas vacantes tengo guardadas => count jobs status=saved
me ha rechazado mercadona? => count jobs company~mercadona status=rejected
cuantas empresas me han dicho que no este mes => count companies status=rejected status@this_month
número de contactos => count contacts
cuánta gente conozco en Indra => count contacts company~Indra
Cuántos trabajos hay en Valencia => count jobs location~Valencia
he echado algo hoy? o sea si he aplicado a algo => count jobs status>=applied status@today
de cuantas sigo esperando respuesta => count jobs status=applied
cuantos puestos de administrativo hay de mas de 24000 => count jobs salary_min>=24001 title~administrativo
cuántos añadí ayer => count jobs created@yesterday
enséñame todos mis trabajos => list jobs
donde he aplicado esta semana => list jobs status>=applied status@this_week
Muéstrame las que me rechazaron => list jobs status=rejected
que empresas me han descartado => list companies status=rejected
ver guardados => list jobs status=saved
pásame la lista de contactos por nombre => list contacts by name
trabajos remotos en madrid => list jobs location~madrid remote_type=remote
los híbridos de Barcelona porfa => list jobs location~Barcelona remote_type=hybrid
las ultimas 3 que agregué => list jobs by created_at desc limit 3
los 10 que mejor pagan => list jobs by salary_min desc limit 10
con quienes estoy en entrevistas ahora mismo => list jobs status=interviewing
mis cartas de presentación => list documents kind=cover_letter
a cuáles postulé en septiembre? => list jobs status>=applied status@september
quiero ver los puestos de dependienta => list jobs title~dependienta
chambas presenciales en monterrey => list jobs location~monterrey remote_type=onsite
de cuáles me retiré => list jobs status=withdrawn
Los de 30.000 para arriba, por favor. => list jobs salary_min>=30000
como va lo de Inditex => lookup jobs *~Inditex
¿Cuándo apliqué a Rappi? => lookup jobs *~Rappi
cuanto pagan en el de Glovo => lookup jobs *~Glovo
correo de laura gimenez => lookup contacts *~laura gimenez
me das el tel de Andrés Pineda => lookup contacts *~Andrés Pineda
en que empresa está Marta Soler? => lookup contacts *~Marta Soler
dónde era el trabajo de Bimbo => lookup jobs *~Bimbo
el puesto de cabify es remoto o hay q ir => lookup jobs *~cabify
en qué estado está mi solicitud de Iberia => lookup jobs *~Iberia
qué puesto era el de Leroy Merlin que no me acuerdo => lookup jobs *~Leroy Merlin
qué cargo tiene Ximena Rojas => lookup contacts *~Ximena Rojas
cuando guarde la vacante de auxiliar contable => lookup jobs *~auxiliar contable
dijo algo BBVA? => lookup jobs *~BBVA
tengo el email de Paco Herrero o no => lookup contacts *~Paco Herrero
"""

MODEL = """
why do i keep getting rejected
should i take the Barclays offer or wait?
write me a cover letter for the Starbucks job
mark the target one as rejected
what about the second one
how many jobs should i be applying to per week
is amazon a good company to work for
add a new job, barista at Costa in Leeds
i applied for a loan last week and they rejected me, what now
how many employees does Pfizer have
who's the CEO of HubSpot
can you delete all the rejected ones
which of my saved jobs fits me best?
what jobs let you bring a dog to the office
show me the ones that never wrote back properly, just an automated email
when is my interview tomorrow and who's it with
draft an email to Karen Mitchell to follow up
whats a good salary for a project manager in chicago
how do i explain a gap on my resume
and that other one?
which jobs are close to a train station
show me how to ask for remote work in an interview
how many pages should my resume be
make my resume shorter
list some questions i could ask at the Etsy interview
should i take the offer from Barclays or hold out
mark the tesco one as rejected
how many jobs should I be applying to a week?
write me a cover letter for the Spotify job
why do i keep getting rejected
tell me more about the second one
is Deloitte a good place to work
what's the average salary for a nurse in leeds
add Mike Donnelly to my contacts, mike.d@kroger.com
how many employees does HubSpot have
which of my jobs has the best work life balance
can you delete all the rejected ones
how long does amazon usually take to get back to you after an interview
find me remote jobs in Austin
show me the ones that dont need a degree
what do i say when they ask about salary expectations
whats his email again
Is 55k decent for a junior project manager?
draft a thank you email to Priya Sharma
which applications did i send with my old resume
jobs within 30 min of my house
where do i see myself in 5 years lol whats a good answer for that
how many interviews rounds does revolut do
which one do you think im most likely to get
when should I follow up with Lockheed?
warum krieg ich nur absagen
soll ich das angebot von rewe annehmen?
schreib mir ein anschreiben für Zalando
setz Ikea bitte auf abgelehnt
und was ist mit der zweiten?
wie viele bewerbungen pro woche sind eigentlich normal
wie viele mitarbeiter hat Bosch
ist die Telekom ein guter arbeitgeber
trag mal ne neue stelle ein, Verkäuferin bei Edeka in Kassel
mein kreditantrag wurde abgelehnt, was kann ich machen
ich hab mich um eine wohnung beworben und keine antwort bekommen
welche von den stellen passt am besten zu mir
lösch alle absagen
wann ist mein gespräch morgen nochmal
welche jobs sind gut mit der bahn zu erreichen
zeig mir die firmen mit netten chefs
wie lang darf ein lebenslauf sein?
was verdient man als Buchhalterin in München so
Schreib dem Stefan Krüger ne kurze Mail dass ich mich freue
wie frag ich im gespräch am besten nach homeoffice
den anderen meine ich
wer ist der chef von lidl
mach mein anschreiben bitte bisschen lockerer
welche fragen stellen die bei SAP im vorstellungsgespräch
muss ich die absagen dem jobcenter melden?
schreib mir ein anschreiben für die stelle bei dm
Soll ich das Angebot von Continental annehmen?
wie viele bewerbungen pro woche sind normal
setz rossmann auf abgesagt
warum krieg ich nur absagen
ist zalando ein guter arbeitgeber
was verdient man als buchhalter in köln so
was war nochmal mit der zweiten
Wie lange dauert es bei Lufthansa bis die sich melden
lösch bitte alle absagen
such mir stellen in hamburg mit homeoffice
bei welchen kann ich meinen hund mitnehmen
wie viele mitarbeiter hat fielmann
trag mal Thomas Weber als kontakt ein 0171 2345678
Welche Stellen sind unbefristet?
was zieh ich zum vorstellungsgespräch an
ist 50000 brutto ok für den job
Kannst du mein Anschreiben für Henkel etwas kürzer machen?
wo hab ich die besten chancen
wie formuliere ich ne absage an edeka ohne unfreundlich zu sein
welche jobs sind gut mit der bahn zu erreichen
Wo finde ich meine alten Zeugnisse
und die nummer von ihm?
wann sollte ich bei Frau Krüger nachhaken
jobs wo man kein englisch braucht
pourquoi on me refuse tout le temps
tu penses que je dois accepter l'offre de Danone ?
écris moi une lettre de motivation pour Orange
passe Auchan en refusé stp
et la deuxième alors ?
combien de candidatures il faut envoyer par semaine en moyenne
combien de salariés chez Airbus
c'est une bonne boite Decathlon pour bosser ?
ajoute un poste de serveuse au Flunch de Lille
la banque a refusé mon prêt, je fais quoi
j'ai postulé pour un appart et j'ai pas de réponse
laquelle de mes offres me correspond le mieux
supprime tous les refus
mon entretien de demain c'est à quelle heure
quels postes sont à moins de 20 min de chez moi
montre moi les entreprises où l'ambiance est bonne
un cv ça doit faire combien de pages
ça gagne combien un comptable à Lyon en général
rédige une relance pour Sophie Garnier
comment négocier le télétravail en entretien ?
non pas celle là, l'autre
c'est qui le pdg de Renault
tu peux rendre ma lettre un peu moins scolaire
quelles questions ils posent en entretien chez Doctolib
est-ce que j'ai droit au chômage si je refuse une offre
tu peux me faire une lettre de motivation pour doctolib
est ce que je dois accepter l'offre de Michelin
combien de candidatures il faut envoyer par semaine pour trouver
passe carrefour en refusé
pourquoi j'ai que des refus
Quel est le salaire moyen d'un comptable à Lyon ?
ça vaut quoi comme boite capgemini
le deuxième c'est où
supprime les vieilles annonces
comment se passe un entretien chez Decathlon
cherche moi des postes en télétravail a Nantes
lesquels sont en CDI ?
combien de salariés chez Airbus
ajoute Julie Moreau dans mes contacts
Que répondre quand on me demande mes prétentions salariales ?
relance la SNCF pour moi
c'est bien payé 35000 brut ?
les postes ou y a pas besoin du permis
c'est normal qu'ils m'aient pas rappelé après 3 semaines
corrige les fautes de ma lettre pour Leroy Merlin stp
laquelle de mes candidatures a le plus de chances
et son numéro ?
j'ai droit au chômage si je refuse une offre ?
les entreprises à moins d'une heure de chez moi
comment on dit lettre de motivation en anglais
por qué me rechazan siempre
tú aceptarías la oferta de Indra?
escríbeme una carta para mercadona
pon la de Ikea como rechazada
y la segunda?
cuantas solicitudes hay que mandar a la semana para encontrar algo
cuantos empleados tiene Inditex
es buena empresa glovo para trabajar?
añade un puesto de cajera en el Lidl de Murcia
me han rechazado la solicitud del préstamo, que hago
solicité una beca y no me contestan
cuál de mis ofertas me conviene más
borra todos los rechazos porfa
a qué hora tengo mañana la entrevista
qué trabajos me quedan cerca del metro
enséñame las empresas donde tratan bien a la gente
cuántas páginas tiene que tener un currículum
cuánto gana una enfermera en Sevilla normalmente
mándale un correo a Laura Jiménez dándole las gracias
cómo pido teletrabajo en la entrevista sin quedar mal
no, la otra
quién es el dueño de Zara
hazme el cv más corto
qué preguntan en las entrevistas de BBVA?
en las que tengo más posibilidades, cuáles son
hazme una carta de presentación para inditex
acepto la oferta de Glovo o espero?
cuantas candidaturas hay que mandar al dia para encontrar algo
pon mercadona como rechazado
por qué no me llama nadie
¿Qué tal se trabaja en Indra?
cuanto cobra un administrativo en valencia
y el segundo dónde es
borra las que me rechazaron
cuánto tarda BBVA en contestar después de la entrevista
búscame trabajos remotos en Madrid
cuales son de media jornada
cuantos empleados tiene Telefonica
guarda el contacto de Andrés Pineda 612 34 56 78
que digo si me preguntan por mi mayor defecto
Escríbele a Laura Gimenez para ver si hay novedades
30000 brutos cuánto es neto al mes?
cual me pilla más cerca de casa
los que no piden experiencia
está bien pagado el de cabify?
mejora mi carta para Iberia que suena muy sosa
en cuál crees que tengo más posibilidades
me das su teléfono
cómo rechazo una oferta sin quedar mal
qué trabajos tienen seguro de gastos médicos
"""
