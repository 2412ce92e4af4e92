# ruff: noqa: E501 - a label stands beside its sentence
"""What strangers might say to a job tracker, written without a look at the rules; the form of
`utterances`. FAST: a rule may answer so, or leave it to a model. MODEL: no rule may answer.
"""

from __future__ import annotations

ENGLISH = """
how many jobs are in my tracker? => count jobs
How many positions have I saved so far? => count jobs status=saved
how many companies am I tracking => count companies
could you tell me how many applications I have sent? => count jobs status>=applied
how many interviews do I have? => count jobs status>=interviewing
what's the number of jobs I've applied to? => count jobs status>=applied
total number of applications => count jobs
how many of my applications got rejected => count jobs status=rejected
how many rejections did I get this month? => count jobs status=rejected status@this_month
how many jobs did I apply to last week? => count jobs status>=applied status@last_week
how many jobs did I apply for in September? => count jobs status>=applied status@september
how many jobs have I saved since Monday => count jobs status>=saved status@since_monday
how many jobs at Siemens do I have => count jobs company~Siemens
how many remote jobs are on my list? => count jobs remote_type=remote
how many of my saved jobs are remote? => count jobs remote_type=remote status=saved
how many hybrid positions do I have => count jobs remote_type=hybrid
how many contacts have I got at Shopify? => count contacts company~Shopify
how many cover letters do I have? => count documents kind=cover_letter
count my rejected applications => count jobs status=rejected
do I have any saved jobs? => count jobs status=saved
do I have any contacts at Bosch => count contacts company~Bosch
did I get any offers? => count jobs status>=offer
how many offers do I have? => count jobs status=offer
show me all my jobs => list jobs
please show my saved jobs => list jobs status=saved
can you show me my applications? => list jobs
give me a list of all my contacts => list contacts
list all my companies please => list companies
list the jobs I have applied to => list jobs status>=applied
which jobs have I applied for? => list jobs status>=applied
which companies do I have in my tracker? => list companies
which of my jobs are hybrid => list jobs remote_type=hybrid
what jobs have I saved? => list jobs status=saved
what have I applied to so far? => list jobs status>=applied
where have I applied? => list jobs status>=applied
I'd like to see my cover letters => list documents kind=cover_letter
let me see my rejected jobs => list jobs status=rejected
show me my newest jobs => list jobs by created_at desc
show my 3 latest applications => list jobs by created_at desc limit 3
my saved jobs at Google => list jobs company~Google status=saved
list my jobs in Munich => list jobs location~Munich
list jobs at Deutsche Bank => list jobs company~Deutsche Bank
all my remote jobs => list jobs remote_type=remote
show me the jobs where I'm interviewing => list jobs status=interviewing
list my contacts at SAP => list contacts company~SAP
what letters do I have? => list documents kind=cover_letter
show me my documents => list documents
sort my jobs by salary => list jobs by salary_min desc
list my saved jobs sorted by company => list jobs status=saved by company
open job 12 => lookup jobs #=12
show job #4 => lookup jobs #=4
what's the status of job 3 => lookup jobs #=3
what is the status of my application at Adobe? => lookup jobs company~Adobe
how is my Netflix application going? => lookup jobs *~Netflix
show me the Netflix job => lookup jobs *~Netflix
open the Shopify application => lookup jobs *~Shopify
when did I apply to Adobe? => lookup jobs *~Adobe
when did I apply at Siemens => lookup jobs *~Siemens
who is my contact at Adobe? => lookup contacts company~Adobe
what is the email of Maria Lopez? => lookup contacts *~Maria Lopez
what's the link for the Adobe job? => lookup jobs *~Adobe
where is the Initech job located? => lookup jobs *~Initech
show me letter 2 => lookup documents #=2 kind=cover_letter
hey, how many jobs do I have now? => count jobs
"""

GERMAN = """
Wie viele Jobs sind in meinem Tracker? => count jobs
Wie viele Stellen habe ich bisher gespeichert? => count jobs status=saved
Wie viele Firmen habe ich? => count companies
Kannst du mir sagen, wie viele Bewerbungen ich verschickt habe? => count jobs status>=applied
Wie viele Bewerbungen habe ich schon rausgeschickt? => count jobs status>=applied
Wie viele Absagen habe ich diesen Monat bekommen? => count jobs status=rejected status@this_month
Auf wie viele Stellen habe ich mich letzte Woche beworben? => count jobs status>=applied status@last_week
Auf wie viele Stellen habe ich mich im September beworben? => count jobs status>=applied status@september
Wie viele Bewerbungen laufen bei Siemens? => count jobs company~Siemens
Wie viele Jobs habe ich bei Siemens? => count jobs company~Siemens
Wie viele Remote-Jobs stehen auf meiner Liste? => count jobs remote_type=remote
Wie viele meiner gespeicherten Stellen sind remote? => count jobs remote_type=remote status=saved
Wie viele hybride Stellen habe ich? => count jobs remote_type=hybrid
Wie viele Ansprechpartner habe ich bei Bosch? => count contacts company~Bosch
Wie viele Kontakte habe ich bei der Deutschen Bahn? => count contacts company~Deutschen Bahn
Wie viele Motivationsschreiben habe ich? => count documents kind=cover_letter
Wie viele Zusagen habe ich bekommen? => count jobs status>=offer
Wie viele Vorstellungsgespräche habe ich? => count jobs status>=interviewing
Zähle meine abgelehnten Bewerbungen => count jobs status=rejected
Anzahl meiner Bewerbungen => count jobs
Wie lautet die Zahl meiner gespeicherten Jobs? => count jobs status=saved
Habe ich schon Absagen bekommen? => count jobs status=rejected
Hab ich Stellen bei Zalando gespeichert? => count jobs company~Zalando status=saved
Gibt es gespeicherte Jobs? => count jobs status=saved
Zeig mir alle meine Jobs => list jobs
Zeig mir bitte meine gespeicherten Jobs => list jobs status=saved
Kannst du mir meine Kontakte zeigen? => list contacts
Könntest du mir alle meine Bewerbungen auflisten? => list jobs
Gib mir eine Liste aller meiner Kontakte => list contacts
Liste alle meine Firmen auf => list companies
Liste bitte meine Bewerbungen auf => list jobs
Liste alle Jobs auf, auf die ich mich beworben habe => list jobs status>=applied
Auf welche Jobs habe ich mich schon beworben? => list jobs status>=applied
Für welche Stellen habe ich mich beworben? => list jobs status>=applied
Welche Firmen habe ich in meinem Tracker? => list companies
Welche meiner Jobs sind remote? => list jobs remote_type=remote
Welche Jobs habe ich gespeichert? => list jobs status=saved
Wo habe ich mich überall beworben? => list jobs status>=applied
Wo habe ich mich bisher beworben? => list jobs status>=applied
Ich würde gern meine Anschreiben sehen => list documents kind=cover_letter
Ich will alle meine Absagen sehen => list jobs status=rejected
Zeig mir meine neuesten Jobs => list jobs by created_at desc
Zeig mir meine drei letzten Bewerbungen => list jobs by created_at desc limit 3
Meine gespeicherten Stellen bei Google => list jobs company~Google status=saved
Meine Stellen in München => list jobs location~München
Zeig mir meine Jobs in Hamburg => list jobs location~Hamburg
Alle meine Remote-Stellen => list jobs remote_type=remote
Zeige mir meine Kontakte bei SAP => list contacts company~SAP
Welche Anschreiben habe ich? => list documents kind=cover_letter
Zeig mir meine Dokumente => list documents
Sortiere meine Jobs nach Gehalt => list jobs by salary_min desc
Liste meine gespeicherten Jobs sortiert nach Firma => list jobs status=saved by company
Was steht auf meiner Liste? => list jobs
Öffne Job 12 => lookup jobs #=12
Zeig mir Stelle #4 => lookup jobs #=4
Was ist der Stand von Job 3? => lookup jobs #=3
Wie ist der Stand meiner Bewerbung bei Adobe? => lookup jobs company~Adobe
Wie läuft meine Bewerbung bei Adobe? => lookup jobs company~Adobe
Zeig mir den Netflix-Job => lookup jobs *~Netflix
Öffne die Bewerbung bei Shopify => lookup jobs company~Shopify
Wann habe ich mich bei Adobe beworben? => lookup jobs *~Adobe
Wann habe ich mich auf die Stelle bei Siemens beworben? => lookup jobs company~Siemens
Wer ist mein Ansprechpartner bei Adobe? => lookup contacts company~Adobe
Wie ist die E-Mail von Maria Lopez? => lookup contacts *~Maria Lopez
Wie lautet der Link zur Adobe-Stelle? => lookup jobs *~Adobe
Was zahlt die Stelle bei Adobe? => lookup jobs company~Adobe
Zeig mir Dokument 2 => lookup documents #=2
Hallo, wie viele Jobs habe ich jetzt? => count jobs
Wie viele Jobs hab ich auf dem Zettel? => count jobs
Wie viele Stellen verfolge ich gerade? => count jobs
Wie viele Bewerbungen habe ich offen? => count jobs
Wie viele Bewerbungen habe ich bis jetzt geschrieben? => count jobs status>=applied
Wie viele Bewerbungen hab ich seit Montag abgeschickt? => count jobs status>=applied status@since_monday
Wie viele Firmen haben mir abgesagt? => count jobs status=rejected
Wie oft habe ich mich diesen Monat beworben? => count jobs status>=applied status@this_month
Wie oft wurde ich abgelehnt? => count jobs status=rejected
Wie viele Angebote habe ich? => count jobs status=offer
Wie viele meiner Bewerbungen sind bei Bosch? => count jobs company~Bosch
Wie viele Stellen in Berlin habe ich gespeichert? => count jobs location~Berlin status=saved
Wie viele Kontakte kenne ich bei Bosch? => count contacts company~Bosch
Wie viele Unternehmen sind gespeichert? => count companies
Wie viele Dokumente gibt es? => count documents
Wieviele Jobs habe ich insgesamt gespeichert? => count jobs status=saved
Bitte zähle meine Kontakte => count contacts
Wie groß ist die Anzahl meiner gespeicherten Stellen? => count jobs status=saved
Sind Absagen gekommen? => count jobs status=rejected
Habe ich irgendwelche Zusagen? => count jobs status=offer
Habe ich Jobs in Köln gespeichert? => count jobs location~Köln status=saved
Zeig mal meine Bewerbungen => list jobs
Zeig mir meine ganzen Bewerbungen => list jobs
Zeig mir sämtliche Kontakte => list contacts
Ich möchte alle meine Bewerbungen sehen => list jobs
Lass mich meine gespeicherten Jobs sehen => list jobs status=saved
Kannst du meine Jobs auflisten? => list jobs
Kannst du mir bitte meine Absagen zeigen? => list jobs status=rejected
Kann ich meine Kontakte sehen? => list contacts
Darf ich meine Bewerbungen sehen? => list jobs
Gib mir meine gespeicherten Stellen => list jobs status=saved
Nenne mir alle Firmen auf meiner Liste => list companies
Was habe ich alles gespeichert? => list jobs status=saved
Worauf habe ich mich beworben? => list jobs status>=applied
Bei wem habe ich mich beworben? => list jobs status>=applied
Bei welchen Firmen habe ich mich beworben? => list jobs status>=applied
Welche Bewerbungen wurden abgelehnt? => list jobs status=rejected
Welche Stellen sind noch gespeichert? => list jobs status=saved
Welche Remote-Stellen habe ich? => list jobs remote_type=remote
Welche Jobs habe ich in Berlin? => list jobs location~Berlin
Welche Jobs habe ich diese Woche gespeichert? => list jobs status>=saved status@this_week
Zeige die 5 neuesten Jobs => list jobs by created_at desc limit 5
Zeig mir die zuletzt gespeicherten Jobs => list jobs status=saved by created_at desc
Zeig mir meine Jobs nach Gehalt sortiert => list jobs by salary_min desc
Zeig mir meine Jobs, älteste zuerst => list jobs by created_at
Zeig mir meine bestbezahlten Jobs => list jobs by salary_min desc
Eine Übersicht meiner Bewerbungen, bitte => list jobs
Liste der abgelehnten Bewerbungen => list jobs status=rejected
Alle Bewerbungen anzeigen => list jobs
Bewerbungen anzeigen => list jobs
Meine Kontakte anzeigen => list contacts
Öffne die SAP-Bewerbung => lookup jobs *~SAP
Zeig mir Details zur Zalando-Stelle => lookup jobs *~Zalando
Zeig mir die Bewerbung bei Zalando => lookup jobs company~Zalando
Wie steht es um meine Bewerbung bei Zalando? => lookup jobs company~Zalando
Wie sieht es mit meiner Bewerbung bei Zalando aus? => lookup jobs company~Zalando
Welchen Status hat Job 7? => lookup jobs #=7
Welchen Status hat die Bewerbung bei SAP? => lookup jobs company~SAP
Wo liegt die Stelle bei Zalando? => lookup jobs company~Zalando
Wie hoch ist das Gehalt der Stelle bei Zalando? => lookup jobs company~Zalando
Wie lautet die Mailadresse von Jana Weiß? => lookup contacts *~Jana Weiß
Wo arbeitet Jana Weiß? => lookup contacts *~Jana Weiß
Wer ist Jana Weiß? => lookup contacts *~Jana Weiß
Wann hat mir SAP abgesagt? => lookup jobs *~SAP
An welchem Tag habe ich mich bei SAP beworben? => lookup jobs *~SAP
Öffne Anschreiben 3 => lookup documents #=3 kind=cover_letter
"""

FRENCH = """
Combien d'offres ai-je enregistrées ? => count jobs status=saved
Combien de postes y a-t-il dans ma liste ? => count jobs
Combien de candidatures ai-je envoyées jusqu'ici ? => count jobs status>=applied
Peux-tu me dire combien de postes j'ai enregistrés ? => count jobs status=saved
À combien de postes ai-je postulé ? => count jobs status>=applied
À combien de postes ai-je postulé la semaine dernière ? => count jobs status>=applied status@last_week
Combien de candidatures ai-je envoyées en septembre ? => count jobs status>=applied status@september
Combien de refus ai-je reçus ? => count jobs status=rejected
Combien de refus ai-je reçus ce mois-ci ? => count jobs status=rejected status@this_month
Combien de mes candidatures ont été refusées ? => count jobs status=rejected
Combien de postes ai-je chez Siemens ? => count jobs company~Siemens
Combien de contacts ai-je chez Bosch ? => count contacts company~Bosch
Combien de contacts est-ce que j'ai ? => count contacts
Combien d'entreprises est-ce que je suis ? => count companies
Combien d'entreprises ai-je dans ma liste ? => count companies
Combien de lettres de motivation ai-je ? => count documents kind=cover_letter
Combien de postes en télétravail ai-je ? => count jobs remote_type=remote
Combien de mes postes sont hybrides ? => count jobs remote_type=hybrid
Combien de documents j'ai ? => count documents
Quel est le nombre de mes candidatures ? => count jobs
Nombre de postes enregistrés => count jobs status=saved
Compte mes candidatures refusées => count jobs status=rejected
Est-ce que j'ai des postes enregistrés ? => count jobs status=saved
Ai-je des contacts chez SAP ? => count contacts company~SAP
Montre-moi tous mes postes => list jobs
Montre-moi mes postes enregistrés s'il te plaît => list jobs status=saved
Peux-tu me montrer mes candidatures ? => list jobs
Pourrais-tu lister mes contacts ? => list contacts
Donne-moi la liste de mes contacts => list contacts
Liste toutes mes entreprises => list companies
Affiche mes candidatures => list jobs
Affiche les postes que j'ai enregistrés => list jobs status=saved
Liste les postes auxquels j'ai postulé => list jobs status>=applied
À quels postes ai-je postulé ? => list jobs status>=applied
Quels postes ai-je enregistrés ? => list jobs status=saved
Quelles entreprises ai-je dans ma liste ? => list companies
Quels sont mes contacts ? => list contacts
Lesquels de mes postes sont en télétravail ? => list jobs remote_type=remote
Où ai-je postulé ? => list jobs status>=applied
Je voudrais voir mes lettres de motivation => list documents kind=cover_letter
Je veux voir mes refus => list jobs status=rejected
Montre-moi mes derniers postes => list jobs by created_at desc
Montre-moi mes 3 dernières candidatures => list jobs by created_at desc limit 3
Mes postes enregistrés chez Google => list jobs company~Google status=saved
Mes postes à Lyon => list jobs location~Lyon
Liste mes postes à Paris => list jobs location~Paris
Tous mes postes en télétravail => list jobs remote_type=remote
Montre mes contacts chez SAP => list contacts company~SAP
Quelles lettres ai-je ? => list documents kind=cover_letter
Montre-moi mes documents => list documents
Trie mes postes par salaire => list jobs by salary_min desc
Liste mes postes enregistrés triés par entreprise => list jobs status=saved by company
Ouvre le poste 12 => lookup jobs #=12
Montre-moi le poste n° 4 => lookup jobs #=4
Quel est le statut du poste 3 ? => lookup jobs #=3
Quel est le statut de ma candidature chez Adobe ? => lookup jobs company~Adobe
Où en est ma candidature chez Adobe ? => lookup jobs company~Adobe
Montre-moi le poste Netflix => lookup jobs *~Netflix
Ouvre ma candidature chez Shopify => lookup jobs company~Shopify
Quand ai-je postulé chez Adobe ? => lookup jobs *~Adobe
Quand est-ce que j'ai postulé chez Siemens ? => lookup jobs *~Siemens
Qui est mon contact chez Adobe ? => lookup contacts company~Adobe
Quel est l'e-mail de Maria Lopez ? => lookup contacts *~Maria Lopez
Montre-moi le document 2 => lookup documents #=2
Bonjour, combien de postes ai-je maintenant ? => count jobs
"""

SPANISH = """
¿Cuántos trabajos tengo en mi lista? => count jobs
¿Cuántos puestos he guardado hasta ahora? => count jobs status=saved
¿Cuántas empresas tengo? => count companies
¿Me puedes decir cuántas solicitudes he enviado? => count jobs status>=applied
¿A cuántos puestos me he postulado? => count jobs status>=applied
¿A cuántos trabajos me postulé la semana pasada? => count jobs status>=applied status@last_week
¿Cuántas solicitudes envié en septiembre? => count jobs status>=applied status@september
¿Cuántos rechazos he recibido? => count jobs status=rejected
¿Cuántos rechazos he recibido este mes? => count jobs status=rejected status@this_month
¿Cuántas de mis solicitudes fueron rechazadas? => count jobs status=rejected
¿Cuántos trabajos tengo en Siemens? => count jobs company~Siemens
¿Cuántos contactos tengo en Bosch? => count contacts company~Bosch
¿Cuántas cartas de presentación tengo? => count documents kind=cover_letter
¿Cuántos trabajos remotos tengo? => count jobs remote_type=remote
¿Cuántos de mis puestos guardados son remotos? => count jobs remote_type=remote status=saved
¿Cuántos puestos híbridos tengo? => count jobs remote_type=hybrid
¿Cuántos documentos tengo ahora? => count documents
¿Cuál es el número de mis solicitudes? => count jobs
Número de trabajos guardados => count jobs status=saved
Cuenta mis solicitudes rechazadas => count jobs status=rejected
¿Tengo trabajos guardados? => count jobs status=saved
¿Tengo algún contacto en SAP? => count contacts company~SAP
¿Tengo contactos en SAP? => count contacts company~SAP
Muéstrame todos mis trabajos => list jobs
Por favor, muéstrame mis trabajos guardados => list jobs status=saved
¿Puedes mostrarme mis solicitudes? => list jobs
¿Podrías enseñarme mis contactos? => list contacts
Dame una lista de mis contactos => list contacts
Lista todas mis empresas => list companies
Enséñame mis solicitudes => list jobs
Lista los trabajos a los que me he postulado => list jobs status>=applied
¿A qué trabajos me he postulado? => list jobs status>=applied
¿Qué trabajos he guardado? => list jobs status=saved
¿Qué empresas tengo en mi lista? => list companies
¿Cuáles son mis contactos? => list contacts
¿Cuáles de mis trabajos son remotos? => list jobs remote_type=remote
¿Dónde me he postulado? => list jobs status>=applied
¿Dónde he aplicado? => list jobs status>=applied
Quiero ver mis cartas de presentación => list documents kind=cover_letter
Me gustaría ver mis rechazos => list jobs status=rejected
Muéstrame mis trabajos más recientes => list jobs by created_at desc
Muéstrame mis últimas 3 solicitudes => list jobs by created_at desc limit 3
Mis trabajos guardados en Google => list jobs *~Google status=saved
Lista mis trabajos en Madrid => list jobs location~Madrid
Todos mis trabajos remotos => list jobs remote_type=remote
Muestra mis contactos en SAP => list contacts company~SAP
¿Qué cartas tengo? => list documents kind=cover_letter
Muéstrame mis documentos => list documents
Ordena mis trabajos por salario => list jobs by salary_min desc
Lista mis trabajos guardados ordenados por empresa => list jobs status=saved by company
Abre el trabajo 12 => lookup jobs #=12
Muéstrame el puesto número 4 => lookup jobs #=4
¿Cuál es el estado del trabajo 3? => lookup jobs #=3
¿Cuál es el estado de mi solicitud en Adobe? => lookup jobs company~Adobe
¿Cómo va mi solicitud en Adobe? => lookup jobs company~Adobe
Muéstrame el trabajo de Netflix => lookup jobs *~Netflix
Abre mi solicitud en Shopify => lookup jobs company~Shopify
¿Cuándo me postulé a Adobe? => lookup jobs *~Adobe
¿Cuándo me postulé en Siemens? => lookup jobs *~Siemens
¿Quién es mi contacto en Adobe? => lookup contacts company~Adobe
¿Cuál es el correo de María López? => lookup contacts *~María López
Muéstrame el documento 2 => lookup documents #=2
Hola, ¿cuántos trabajos tengo ahora? => count jobs
"""

MODEL = """
how many jobs did I get?
how many interviews should I prepare for?
how many years of experience do I have?
how many jobs pay better than mine?
how many companies have rejected my friend?
when will I hear back from Adobe?
when should I apply to Siemens?
what jobs should I apply to?
which jobs fit me best?
who is the CEO of Adobe?
where is Adobe located?
list some jobs in Berlin
show me how to write a cover letter
do I have any chance at Google?
my last two jobs
Wie viele Jobs sollte ich speichern?
Wie viele Stellen hat Siemens?
Wie viele Absagen sind normal?
Wie viele Jahre war ich bei Bosch?
Wann bekomme ich eine Antwort von Adobe?
Wann soll ich mich bei Siemens bewerben?
Wie ist der Stand meines Kredits?
Wie ist das Betriebsklima bei Adobe?
Welche Stelle soll ich annehmen?
Wer ist der Chef von Adobe?
Wo sollte ich mich bewerben?
Was zahlt Siemens seinen Ingenieuren?
Meine letzten zwei Jobs
Habe ich Chancen bei Google?
Zeig mir offene Stellen bei Google
Was ist der Status von meinem Visum?
Combien de postes dois-je viser ?
Combien d'années ai-je travaillé chez Bosch ?
Combien gagne un ingénieur chez Adobe ?
Quand dois-je postuler chez Siemens ?
Quand vais-je recevoir une réponse d'Adobe ?
Où en est ma demande de visa ?
Quel poste dois-je accepter ?
Qui est le patron d'Adobe ?
Où devrais-je postuler ?
Mes deux derniers emplois
Ai-je une chance chez Google ?
Montre-moi des offres chez Google
Quelles entreprises recrutent ?
Liste des conseils pour mes candidatures
¿Cuántos trabajos debería guardar?
¿Cuántos años trabajé en Bosch?
¿Cuánto gana un ingeniero en Adobe?
¿Cuándo debería postularme en Siemens?
¿Cuándo me responderá Adobe?
¿Cuál es el estado de mi visa?
¿Qué trabajo debería aceptar?
¿Quién es el jefe de Adobe?
¿Dónde debería postularme?
Mis dos últimos trabajos
¿Tengo posibilidades en Google?
Muéstrame ofertas en Google
¿Qué empresas están contratando?
Lista consejos para mis solicitudes
"""
