# ruff: noqa: E501 - a label stands beside its sentence
"""Further sets of what strangers might say, in the form of `utterances_kept_back`. Each was written
in one go and measured once, before a rule was changed for it; then the mechanisms that it lacked
were mended, so that today's recall on it says little. First run, answered rightly of all:

GERMAN 50 of 60, ENGLISH 20 of 25, FRENCH 19 of 25, SPANISH 18 of 25 with one answered wrongly ("en
Madrid" taken for a row's name), then GERMAN_LATER 40 of 60, then GERMAN_LAST 54 of 60;
ENGLISH_LATER 16, FRENCH_LATER 18, SPANISH_LATER 16 of 20 each. No other
answer was wrong, and none of MODEL was answered; FOUND was collected afterwards. Author of sets and rules is one: strangers will see less.
"""

from __future__ import annotations

GERMAN = """
wieviele Bewerbungen habe ich eigentlich schon verschickt? => count jobs status>=applied
Anzahl der Absagen bitte => count jobs status=rejected
Können Sie mir sagen, wie viele Stellen ich gespeichert habe? => count jobs status=saved
Weißt du, wie viele Kontakte ich bei Bosch habe? => count contacts company~Bosch
wie viele remotejobs hab ich => count jobs remote_type=remote
Wie viele Hybridstellen stehen auf meiner Liste? => count jobs remote_type=hybrid
Sag mal, auf wie viele Jobs hab ich mich diese Woche beworben? => count jobs status>=applied status@this_week
Ich wüsste gern, wie viele Firmen ich auf der Liste habe. => count companies
Wie viele Bewerbungen gingen im Oktober raus? => count jobs status>=applied status@october
Bei wie vielen Stellen wurde ich abgelehnt? => count jobs status=rejected
Wie viele meiner Bewerbungen wurden abgelehnt? => count jobs status=rejected
Wie viele Anschreiben hab ich mittlerweile? => count documents kind=cover_letter
Wie viele abgelehnte Bewerbungen habe ich bei Siemens? => count jobs company~Siemens status=rejected
Wie viele gespeicherte Remote-Stellen habe ich in Muenchen? => count jobs location~Muenchen remote_type=remote status=saved
Kannst du mal meine Kontakte zählen? => count contacts
Hab ich bei SAP irgendwelche Kontakte? => count contacts company~SAP
Weisst du, ob ich Absagen bekommen habe? => count jobs status=rejected
Habe ich in Köln Stellen gespeichert? => count jobs location~Köln status=saved
Wie oft hab ich mich letzten Monat beworben? => count jobs status>=applied status@last_month
Zeigen Sie mir bitte alle meine Bewerbungen. => list jobs
Listen Sie meine Kontakte auf. => list contacts
zeig ma meine jobs => list jobs
Könntest du mir bitte kurz meine abgelehnten Bewerbungen zeigen? => list jobs status=rejected
Zähl meine Kontakte auf => list contacts
Her mit meinen gespeicherten Stellen! => list jobs status=saved
meine kontaktliste bitte => list contacts
Such mir meine Anschreiben raus => list documents kind=cover_letter
Ich hätte gern eine Übersicht über meine Bewerbungen. => list jobs
Ich würde gerne alle Firmen sehen, die ich gespeichert habe => list companies
Welche Stellen hab ich mir gemerkt? => list jobs status=saved
Zeig mir alle Jobs, auf die ich mich beworben habe => list jobs status>=applied
Wo hab ich mich denn schon überall beworben? => list jobs status>=applied
Alle Stellen, bei denen ich abgelehnt wurde => list jobs status=rejected
Welche Jobs auf meiner Liste sind im Homeoffice? => list jobs remote_type=remote
Zeig mir meine Jobs in Hamburg mit einem Gehalt ab 60.000 Euro => list jobs location~Hamburg salary_min>=60000
Meine Stellen mit über 70.000 Euro Gehalt => list jobs salary_min>=70001
Welche Jobs habe ich letzte Woche gespeichert? => list jobs status>=saved status@last_week
Zeig mir meine gespeicherten Jobs nach Firma sortiert => list jobs status=saved by company
Meine Bewerbungen, die neuesten zuerst => list jobs by created_at desc
Zeig meine fuenf neuesten Bewerbungen => list jobs by created_at desc limit 5
Welche Ansprechpartner habe ich bei Zalando? => list contacts company~Zalando
Wen kenne ich bei Volkswagen? => list contacts company~Volkswagen
Welche Unternehmen sind in meinem Tracker? => list companies
Wann hab ich mich bei Bosch beworben? => lookup jobs *~Bosch
Sag mir, wann ich mich bei Zalando beworben habe => lookup jobs *~Zalando
Wann habe ich die Bewerbung bei SAP abgeschickt? => lookup jobs *~SAP
Wann kam die Absage von Zalando? => lookup jobs *~Zalando
Wann wurde ich bei Siemens abgelehnt? => lookup jobs *~Siemens
Was ist aus meiner Bewerbung bei Adobe geworden? => lookup jobs company~Adobe
Wie steht's um die Bewerbung bei SAP? => lookup jobs company~SAP
Gibt's was Neues zu meiner Bewerbung bei Bosch? => lookup jobs company~Bosch
In welcher Phase ist meine Bewerbung bei Zalando? => lookup jobs company~Zalando
Was ist der aktuelle Stand bei Job 12? => lookup jobs #=12
Kannst du mir die SAP-Bewerbung öffnen? => lookup jobs *~SAP
Ruf Stelle 7 auf => lookup jobs #=7
Wie heißt mein Ansprechpartner bei Bosch? => lookup contacts company~Bosch
Wer ist bei Adobe mein Kontakt? => lookup contacts company~Adobe
Wie erreiche ich Jana Weiss? => lookup contacts *~Jana Weiss
Wie lautet die E-Mail-Adresse von Peter Müller? => lookup contacts *~Peter Müller
Welches Gehalt hat die Stelle bei Zalando? => lookup jobs company~Zalando
"""

GERMAN_LATER = """
Guten Tag, wie viele Bewerbungen habe ich abgeschickt? => count jobs status>=applied
gib mir mal die Anzahl meiner gespeicherten Jobs => count jobs status=saved
Wie viele Jobs hab ich mir diesen Monat gespeichert? => count jobs status>=saved status@this_month
Würdest du mir sagen, wie viele Absagen ich bisher habe? => count jobs status=rejected
Mich würde mal interessieren, wie viele Kontakte ich habe => count contacts
Ich möchte gerne wissen, auf wie viele Stellen ich mich beworben habe. => count jobs status>=applied
wieviel Remote-Stellen sind bei mir gespeichert => count jobs remote_type=remote status=saved
Wie viele Homeoffice-Jobs habe ich? => count jobs remote_type=remote
Wie viele Bewerbungen habe ich seit September verschickt? => count jobs status>=applied status@since_september
Wie viele Bewerbungen habe ich gestern rausgeschickt? => count jobs status>=applied status@yesterday
Wie viele Stellen in Berlin stehen auf meiner Liste? => count jobs location~Berlin
Wie viele Jobs bei BMW habe ich mir gemerkt? => count jobs company~BMW status=saved
Wie viele Ansprechpartner hab ich eigentlich bei der Telekom? => count contacts company~Telekom
Wie viele Unternehmen habe ich inzwischen gespeichert? => count companies
Wie viele Absagen kamen diese Woche? => count jobs status=rejected status@this_week
Wie oft bin ich schon abgelehnt worden? => count jobs status=rejected
Zählst du mir bitte meine Bewerbungen? => count jobs
Hast du gezählt, wie viele Jobs ich habe? => count jobs
Haben wir schon Zusagen? => count jobs status=offer
Gibt es auf meiner Liste Remote-Jobs? => count jobs remote_type=remote
Hab ich eigentlich schon eine Zusage? => count jobs status=offer
Weißt du, ob ich bei BMW Kontakte habe? => count contacts company~BMW
Zeigst du mir meine Bewerbungen? => list jobs
Kannst du mir eine Liste meiner Kontakte geben? => list contacts
Würden Sie mir bitte meine gespeicherten Stellen anzeigen? => list jobs status=saved
Ich brauch mal eine Liste aller meiner Bewerbungen => list jobs
Bitte alle meine Absagen auflisten. => list jobs status=rejected
bewerbungen auflisten => list jobs
Zeig mir alle Bewerbungen, die ich verschickt habe. => list jobs status>=applied
Zeig mir alle Jobs, die ich letzte Woche gespeichert habe => list jobs status>=saved status@last_week
Zeig mir meine Kontakte, die bei BMW arbeiten => list contacts company~BMW
Welche Bewerbungen habe ich im November abgeschickt? => list jobs status>=applied status@november
Welche meiner gespeicherten Stellen sind hybrid? => list jobs remote_type=hybrid status=saved
Welche meiner Jobs sind in Frankfurt? => list jobs location~Frankfurt
Welche Firmen stehen auf meiner Liste? => list companies
Bei welchen Unternehmen hab ich mich schon beworben? => list jobs status>=applied
Worauf hab ich mich diese Woche beworben? => list jobs status>=applied status@this_week
Wo wurde ich überall abgelehnt? => list jobs status=rejected
Wen kenne ich bei der Telekom? => list contacts company~Telekom
Meine Remotejobs nach Gehalt sortiert => list jobs remote_type=remote by salary_min desc
Sortier mir mal meine Bewerbungen nach Firma => list jobs by company
Meine gespeicherten Jobs in Köln => list jobs location~Köln status=saved
Alle meine Stellen mit mindestens 50.000 Euro Gehalt => list jobs salary_min>=50000
Zeig mir die Stellen, auf die ich mich beworben habe, bitte => list jobs status>=applied
Meine Anschreiben bitte => list documents kind=cover_letter
Lass mal meine Absagen sehen => list jobs status=rejected
Mach mal Job 5 auf => lookup jobs #=5
Zeig mir mal Bewerbung Nr. 9 => lookup jobs #=9
Ich möchte die Telekom-Bewerbung sehen => lookup jobs *~Telekom
Erzähl mir mehr über die Stelle bei BMW => lookup jobs company~BMW
Wie läuft es mit der Bewerbung bei BMW? => lookup jobs company~BMW
Wie weit ist meine Bewerbung bei der Telekom? => lookup jobs company~Telekom
Kannst du mir sagen, wie der Stand meiner Bewerbung bei BMW ist? => lookup jobs company~BMW
Wann genau habe ich mich bei der Telekom beworben? => lookup jobs *~Telekom
Weißt du noch, wann ich mich bei BMW beworben habe? => lookup jobs *~BMW
Wann hat BMW mir abgesagt? => lookup jobs *~BMW
Wer ist meine Ansprechpartnerin bei BMW? => lookup contacts company~BMW
Hast du die Mailadresse von Lena Groß? => lookup contacts *~Lena Groß
Gib mir bitte die E-Mail von Lena Groß => lookup contacts *~Lena Groß
Wo arbeitet Lena Groß eigentlich? => lookup contacts *~Lena Groß
"""

GERMAN_LAST = """
Wie viele Bewerbungen hab ich laufen lassen bzw. verschickt? => count jobs status>=applied
Wie viele Jobs habe ich bis heute gespeichert? => count jobs status=saved
Hey, wie viele Stellen sind derzeit in meiner Liste? => count jobs
Wie viele Jobs habe ich mir in Leipzig gemerkt? => count jobs location~Leipzig status=saved
Sagen Sie mir bitte, wie viele Bewerbungen ich eingereicht habe. => count jobs status>=applied
Könnten Sie mir verraten, wie viele Absagen ich erhalten habe? => count jobs status=rejected
Auf wie viele Remote-Stellen habe ich mich beworben? => count jobs remote_type=remote status>=applied
Auf wie viele Stellen habe ich mich im Maerz beworben? => count jobs status>=applied status@march
Wie viele Bewerbungen habe ich dieses Jahr abgeschickt? => count jobs status>=applied status@this_year
Wie viele Absagen hab ich seit Januar kassiert? => count jobs status=rejected status@since_january
Wie viele Firmen hab ich denn jetzt auf meiner Liste? => count companies
Wie viele Kontakte hab ich insgesamt? => count contacts
Wie viele Leute kenne ich bei Lidl? => count contacts company~Lidl
Wie viele Jobs mit einem Gehalt über 80.000 habe ich gespeichert? => count jobs salary_min>=80001 status=saved
Wie viele Dokumente habe ich angelegt? => count documents
Zahl meiner Absagen? => count jobs status=rejected
Gesamtzahl meiner Bewerbungen => count jobs
Habe ich überhaupt schon eine Absage bekommen? => count jobs status=rejected
Hab ich Kontakte bei der Allianz? => count contacts company~Allianz
Gibt's gespeicherte Remote-Jobs? => count jobs remote_type=remote status=saved
Zeig mal her, meine Bewerbungen => list jobs
Meine Bewerbungen anzeigen bitte => list jobs
Alle Kontakte auflisten => list contacts
Kontakte auflisten => list contacts
Ich will meine gespeicherten Stellen sehen => list jobs status=saved
Dürfte ich bitte meine Absagen sehen? => list jobs status=rejected
Könnten Sie meine Firmen auflisten? => list companies
Nenn mir alle Ansprechpartner bei Lidl, die ich habe => list contacts company~Lidl
Welche Jobs habe ich im Juli gespeichert? => list jobs status>=saved status@july
Welche Bewerbungen sind abgelehnt worden? => list jobs status=rejected
Welche Stellen sind bei mir als gespeichert markiert? => list jobs status=saved
Welche Remotejobs habe ich mir gemerkt? => list jobs remote_type=remote status=saved
Was für Kontakte hab ich bei der Allianz? => list contacts company~Allianz
Was hab ich mir alles gemerkt? => list jobs status=saved
Für welche Jobs hab ich mich im August beworben? => list jobs status>=applied status@august
Wo habe ich mich letzte Woche beworben? => list jobs status>=applied status@last_week
Bei wem hab ich mich eigentlich schon beworben? => list jobs status>=applied
Zeig mir meine Stellen, sortiert nach Gehalt => list jobs by salary_min desc
Zeige mir meine Bewerbungen nach Status sortiert => list jobs by status
Zeig mir meine zehn neuesten Bewerbungen => list jobs by created_at desc limit 10
Meine hybriden Stellen in Stuttgart => list jobs location~Stuttgart remote_type=hybrid
Zeig mir meine abgelehnten Bewerbungen bei der Allianz => list jobs company~Allianz status=rejected
Meine Bewerbungen bei Audi und wie sie sortiert sind nach Firma => list jobs company~Audi by company
Zeig mir alle Stellen, die ich gespeichert habe => list jobs status=saved
Zeig alle Jobs, für die ich mich beworben habe => list jobs status>=applied
Zeig mir alle Jobs, die remote sind => list jobs remote_type=remote
Öffne mal bitte Job 14 => lookup jobs #=14
oeffne stelle nummer 3 => lookup jobs #=3
Zeig mir die Audi-Bewerbung => lookup jobs *~Audi
Details zur Bewerbung bei Audi => lookup jobs company~Audi
Welchen Stand hat meine Bewerbung bei Audi? => lookup jobs company~Audi
Wie steht es mit meiner Bewerbung bei der Allianz? => lookup jobs company~Allianz
Sag mir bitte den Status von Job 8 => lookup jobs #=8
Was zahlt die Audi-Stelle? => lookup jobs *~Audi
Wo ist der Job bei Audi? => lookup jobs company~Audi
Wann hab ich mich eigentlich bei Lidl beworben? => lookup jobs *~Lidl
Wann habe ich den Job bei Audi gespeichert? => lookup jobs *~Audi
Wann hat mich Audi abgelehnt? => lookup jobs *~Audi
Kennst du die E-Mail-Adresse von Tom Klein? => lookup contacts *~Tom Klein
Wie heißt mein Kontakt bei der Allianz? => lookup contacts company~Allianz
"""

ENGLISH = """
any idea how many jobs I've saved so far? => count jobs status=saved
how many applications did I submit in October => count jobs status>=applied status@october
number of contacts at Bosch => count contacts company~Bosch
do you know how many remote jobs I have? => count jobs remote_type=remote
have I been rejected anywhere? => count jobs status=rejected
how many of my applications were rejected this month? => count jobs status=rejected status@this_month
how often have I applied this week? => count jobs status>=applied status@this_week
how many hybrid jobs in Berlin have I saved? => count jobs location~Berlin remote_type=hybrid status=saved
could you list my contacts at SAP please => list contacts company~SAP
pull up my rejected applications => list jobs status=rejected
I want to see every job I've applied to => list jobs status>=applied
which of my saved jobs are in Berlin? => list jobs location~Berlin status=saved
show all my jobs that pay over 70,000 => list jobs salary_min>=70001
which jobs did I save last week? => list jobs status>=saved status@last_week
my contact list please => list contacts
what companies have I saved? => list companies
show my applications, newest first => list jobs by created_at desc
who do I know at Zalando? => list contacts company~Zalando
when did Zalando reject me? => lookup jobs *~Zalando
when was I rejected by Siemens? => lookup jobs *~Siemens
where do I stand with Bosch? => lookup jobs *~Bosch
any news on my Adobe application? => lookup jobs *~Adobe
bring up job 7 => lookup jobs #=7
what's Peter Miller's email address? => lookup contacts *~Peter Miller
what does the Zalando job pay? => lookup jobs *~Zalando
"""

FRENCH = """
Sais-tu combien de candidatures j'ai envoyées ? => count jobs status>=applied
combien de postes j'ai enregistrés => count jobs status=saved
Nombre de refus ? => count jobs status=rejected
J'ai combien de contacts chez Bosch ? => count contacts company~Bosch
Combien de candidatures ai-je envoyées en octobre ? => count jobs status>=applied status@october
Combien de fois ai-je postulé ce mois-ci ? => count jobs status>=applied status@this_month
Combien de postes hybrides ai-je enregistrés ? => count jobs remote_type=hybrid status=saved
Est-ce que j'ai reçu des refus ? => count jobs status=rejected
Pouvez-vous me montrer mes candidatures ? => list jobs
Montrez-moi tous mes contacts => list contacts
J'aimerais voir mes postes enregistrés => list jobs status=saved
Affiche-moi mes candidatures refusées stp => list jobs status=rejected
Quels postes ai-je enregistrés la semaine dernière ? => list jobs status>=saved status@last_week
Quelles sont mes candidatures ? => list jobs
Où est-ce que j'ai postulé ? => list jobs status>=applied
Mes candidatures, les plus récentes d'abord => list jobs by created_at desc
Qui est-ce que je connais chez Zalando ? => list contacts company~Zalando
Liste mes postes en télétravail à Lyon => list jobs location~Lyon remote_type=remote
Quand est-ce que j'ai postulé chez Zalando ? => lookup jobs *~Zalando
Où en est mon dossier... ma candidature chez Bosch ? => lookup jobs company~Bosch
Quel est l'état de ma candidature chez Bosch ? => lookup jobs company~Bosch
Ouvre la candidature 7 => lookup jobs #=7
Comment s'appelle mon contact chez Bosch ? => lookup contacts company~Bosch
Quelle est l'adresse mail de Marie Dupont ? => lookup contacts *~Marie Dupont
Où travaille Marie Dupont ? => lookup contacts *~Marie Dupont
"""

SPANISH = """
¿Sabes cuántas solicitudes he enviado? => count jobs status>=applied
cuantos puestos tengo guardados => count jobs status=saved
Número de rechazos => count jobs status=rejected
¿Cuántos contactos tengo en Bosch? => count contacts company~Bosch
¿Cuántas solicitudes he enviado en octubre? => count jobs status>=applied status@october
¿Cuántas veces me he postulado este mes? => count jobs status>=applied status@this_month
¿Cuántos trabajos híbridos tengo guardados? => count jobs remote_type=hybrid status=saved
¿He recibido algún rechazo? => count jobs status=rejected
¿Puede mostrarme mis solicitudes? => list jobs
Muéstreme todos mis contactos => list contacts
Quisiera ver mis puestos guardados => list jobs status=saved
Ponme mis solicitudes rechazadas => list jobs status=rejected
¿Qué trabajos guardé la semana pasada? => list jobs status>=saved status@last_week
¿Cuáles son mis solicitudes? => list jobs
¿En qué empresas me he postulado? => list jobs status>=applied
Mis solicitudes, primero las más recientes => list jobs by created_at desc
¿A quién conozco en Zalando? => list contacts company~Zalando
Lista mis trabajos remotos en Madrid => list jobs location~Madrid remote_type=remote
¿Cuándo me postulé en Zalando? => lookup jobs *~Zalando
¿Cómo va mi solicitud en Bosch? => lookup jobs company~Bosch
¿En qué estado está mi solicitud en Bosch? => lookup jobs company~Bosch
Abre la solicitud 7 => lookup jobs #=7
¿Cómo se llama mi contacto en Bosch? => lookup contacts company~Bosch
¿Cuál es el correo electrónico de Ana Pérez? => lookup contacts *~Ana Pérez
¿Dónde trabaja Ana Pérez? => lookup contacts *~Ana Pérez
"""

# Found while mending: each was answered, or would have been by an obvious mend.
FOUND = """
Welche Stellen habe ich bei Siemens abgelehnt?
Gib meine Bewerbungen auf
Gib Job 5 auf
Ruf meinen Kontakt bei SAP an
Rufe meine Kontakte an
Stell meine Bewerbungen zusammen
Stelle meine Bewerbungen vor
Mach Job 5 zu
Mach Stelle 4 auf gespeichert
Gab es Jobs bei SAP?
Hatte ich Kontakte bei SAP?
Wie viele Jobs haben wir in Deutschland?
Wie viele Absagen gab es bei SAP?
Wann kommt die Zusage von Bosch?
Wann bin ich bei SAP angenommen worden?
Ich will alle Zusagen haben
Alle Stellen, bei denen ich abgesagt habe
Liste meine Stellen bei Startups auf
Bei welchen Stellen habe ich bei BMW abgesagt?
Wann habe ich bei Siemens abgelehnt?
Also, meine Jobs sind remote
¿A cuántos trabajos me he postulado en Madrid?
"""

ENGLISH_LATER = """
how many jobs did I save this week => count jobs status>=saved status@this_week
could you check how many contacts I have? => count contacts
so how many places have I applied to by now? => count jobs status>=applied
total number of rejections => count jobs status=rejected
how many remote roles have I applied for? => count jobs remote_type=remote status>=applied
how many jobs in London do I have saved? => count jobs location~London status=saved
do I know anyone at Shopify? => list contacts company~Shopify
show me my company list => list companies
can you give me a list of the jobs I've saved? => list jobs status=saved
I'd love to see my applications at Google => list jobs company~Google
what did I apply to in September? => list jobs status>=applied status@september
which applications have been rejected => list jobs status=rejected
my remote jobs sorted by salary => list jobs remote_type=remote by salary_min desc
my five newest jobs => list jobs by created_at desc limit 5
which jobs in my list are hybrid? => list jobs remote_type=hybrid
when exactly did I apply to Shopify? => lookup jobs *~Shopify
do you know when I applied to Shopify? => lookup jobs *~Shopify
what's happening with my Shopify application? => lookup jobs *~Shopify
who's my contact at Shopify? => lookup contacts company~Shopify
do you have Jane Miller's email? => lookup contacts *~Jane Miller
"""

FRENCH_LATER = """
Combien de postes ai-je enregistrés cette semaine ? => count jobs status>=saved status@this_week
Pouvez-vous me dire combien de contacts j'ai ? => count contacts
J'ai postulé à combien de postes ? => count jobs status>=applied
Nombre total de candidatures => count jobs
À combien de postes en télétravail ai-je postulé ? => count jobs remote_type=remote status>=applied
Combien de postes à Paris ai-je enregistrés ? => count jobs location~Paris status=saved
Combien d'entreprises j'ai dans ma liste ? => count companies
Montre-moi la liste de mes entreprises => list companies
Tu peux me montrer mes refus ? => list jobs status=rejected
Je voudrais voir mes candidatures chez Google => list jobs company~Google
À quoi ai-je postulé en septembre ? => list jobs status>=applied status@september
Quelles candidatures ont été refusées ? => list jobs status=rejected
Mes postes en télétravail triés par salaire => list jobs remote_type=remote by salary_min desc
Lesquels de mes postes sont hybrides ? => list jobs remote_type=hybrid
Chez qui ai-je postulé ? => list jobs status>=applied
Quand exactement ai-je postulé chez Airbus ? => lookup jobs *~Airbus
Sais-tu quand j'ai postulé chez Airbus ? => lookup jobs *~Airbus
Comment avance ma candidature chez Airbus ? => lookup jobs company~Airbus
Quel est le mail de Paul Martin ? => lookup contacts *~Paul Martin
Affiche le poste numéro 5 => lookup jobs #=5
"""

SPANISH_LATER = """
¿Cuántos puestos he guardado esta semana? => count jobs status>=saved status@this_week
¿Puede decirme cuántos contactos tengo? => count contacts
¿A cuántas empresas he aplicado? => count jobs status>=applied
Número total de solicitudes => count jobs
¿A cuántos puestos remotos me he postulado? => count jobs remote_type=remote status>=applied
¿Cuántas empresas hay en mi lista? => count companies
¿Cuántos contactos tengo ya en Seat? => count contacts company~Seat
Enséñame la lista de mis empresas => list companies
¿Me enseñas mis rechazos? => list jobs status=rejected
Me gustaría ver todas mis solicitudes => list jobs
¿A qué me postulé en septiembre? => list jobs status>=applied status@september
¿Qué solicitudes han sido rechazadas? => list jobs status=rejected
Mis trabajos remotos ordenados por salario => list jobs remote_type=remote by salary_min desc
¿Cuáles de mis puestos son híbridos? => list jobs remote_type=hybrid
Mis cinco trabajos más recientes => list jobs by created_at desc limit 5
¿Cuándo exactamente me postulé en Seat? => lookup jobs *~Seat
¿Sabes cuándo me postulé en Seat? => lookup jobs *~Seat
¿Qué pasa con mi solicitud en Seat? => lookup jobs *~Seat
¿Tienes el correo de Luis Gómez? => lookup contacts *~Luis Gómez
Muestra el trabajo número 5 => lookup jobs #=5
"""

MODEL = """
Wie viele Bewerbungen sollte ich pro Woche verschicken?
Wie viele Remotejobs habe ich bekommen?
Wie viele Leute arbeiten bei Bosch?
Habe ich bei SAP gute Karten?
Weißt du, ob SAP gerade einstellt?
Ob ich mich bei Bosch bewerben soll?
Wann kommt die Antwort von Zalando?
Wann sollte ich bei Bosch nachfragen?
Was ist aus Nokia geworden?
Wie erreiche ich mehr Rückmeldungen?
Wie erreiche ich meine Ziele?
Such mir Remotejobs raus
Stell mir passende Jobs zusammen
Zeig mir Jobs, die zu mir passen
In welcher Stadt ist Bosch?
Wie heißt der Chef von Bosch?
Wer ist bei Adobe für Design zuständig?
Kannst du mir bei meinen Bewerbungen helfen?
Ich habe mich bei Zalando beworben
Wie steht es um den Arbeitsmarkt?
Welche meiner Bewerbungen habe ich noch nicht abgeschickt?
Meine Kontakte bei Startups
how many applications should I send per week?
how many people work at Bosch?
any news on the visa?
any idea how many jobs are out there?
when will Zalando reject me?
where do I stand in the market?
bring up salary in the interview
which jobs suit me?
pull up jobs near me
who do I talk to at Zalando?
what does Zalando pay engineers?
do you know a good job for me?
have I been too picky?
how often should I apply?
my contacts at startups and banks
which of my jobs is the best one?
I applied to Zalando yesterday
when should I follow up with Bosch?
list reasons why I was rejected
what companies are like Bosch?
Combien de candidatures faut-il envoyer par semaine ?
Combien de personnes travaillent chez Bosch ?
Sais-tu si Bosch recrute ?
Quand Bosch va-t-il répondre ?
Quand dois-je relancer Bosch ?
Où en est le marché du travail ?
Montre-moi des postes qui me vont
Quel est l'état du marché ?
Comment s'appelle le directeur de Bosch ?
Où travaille mon frère ?
Qui recrute chez Zalando ?
J'ai postulé chez Zalando
Aide-moi avec mes candidatures
Mes deux derniers postes
Combien de fois faut-il relancer ?
Quelles sont mes chances chez Bosch ?
Quels postes me conviennent ?
Pourquoi ai-je reçu des refus ?
Liste mes points forts
Trouve-moi des postes à Lyon
¿Cuántas solicitudes debo enviar por semana?
¿Cuántas personas trabajan en Bosch?
¿Sabes si Bosch contrata?
¿Cuándo responderá Bosch?
¿Cuándo debo escribir a Bosch?
¿Cómo va el mercado laboral?
Muéstrame puestos que me convengan
¿En qué estado está el mercado?
¿Cómo se llama el director de Bosch?
¿Dónde trabaja mi hermano?
¿Quién contrata en Zalando?
Me postulé en Zalando
Ayúdame con mis solicitudes
Mis dos últimos puestos
¿Cuántas veces debo insistir?
¿Cuáles son mis posibilidades en Bosch?
¿Qué trabajos me convienen?
¿Por qué he recibido rechazos?
Lista mis puntos fuertes
Búscame puestos en Madrid
"""
