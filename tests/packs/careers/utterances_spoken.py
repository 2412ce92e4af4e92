# ruff: noqa: E501 - a label stands beside its sentence
"""What people type in a hurry: no capitals, no apostrophes, asides, the question word last. The form
of `utterances`. Written in one go after the rules for it; first run, answered rightly of all:

ENGLISH 36 of 40, GERMAN 33 of 35, FRENCH 29 of 32, SPANISH 17 of 33 (its firm was "Dia" then, which
is a word, "día"; names that are words stay with the model). No answer was wrong. Author of sets and
rules is one: strangers will see less. TRAPS: nothing in it is asked of the tracker, or not for certain.
"""

from __future__ import annotations

ENGLISH = """
hiya, how many jobs have i got in total? => count jobs
so how many rejections now => count jobs status=rejected
how many jobs in my list are hybrid => count jobs remote_type=hybrid
how many jobs have i saved in Bristol => count jobs location~Bristol status=saved
how many applications did i put in last week => count jobs status>=applied status@last_week
how many jobs did i apply for in september lol => count jobs status>=applied status@september
have i already applied to Greggs => count jobs company~Greggs status>=applied
did i ever apply to Boots? => count jobs company~Boots status>=applied
has anybody rejected me yet => count jobs status=rejected
show me what i've applied to => list jobs status>=applied
what have i saved this week => list jobs status>=saved status@this_week
which jobs am i interviewing for at the moment => list jobs status=interviewing
which applications got rejected => list jobs status=rejected
what remote jobs have i saved => list jobs remote_type=remote status=saved
gimme my contacts at Boots => list contacts company~Boots
who do i have at Boots => list contacts company~Boots
my top 3 jobs by salary => list jobs by salary_min desc limit 3
what are my best paid jobs => list jobs by salary_min desc
show me the 5 newest jobs => list jobs by created_at desc limit 5
any offers so far => count jobs status=offer
can u list my cover letters => list documents kind=cover_letter
list all the companies i have => list companies
rejected jobs pls => list jobs status=rejected
saved jobs please => list jobs status=saved
all my hybrid jobs => list jobs remote_type=hybrid
how's the Boots application looking => lookup jobs *~Boots
whats the latest with Boots => lookup jobs *~Boots
when was i rejected by Boots => lookup jobs *~Boots
when did Boots reject me => lookup jobs *~Boots
when did i add the Boots job => lookup jobs *~Boots
what does the Boots job pay => lookup jobs *~Boots
is the Boots job hybrid => lookup jobs *~Boots
what's the title of the Boots job => lookup jobs *~Boots
do you have an email for Tom Baker => lookup contacts *~Tom Baker
whats tom bakers email => lookup contacts *~tom baker
tom baker's email pls => lookup contacts *~tom baker
where does tom baker work => lookup contacts *~tom baker
who's tom baker => lookup contacts *~tom baker
who is my contact at Boots => lookup contacts company~Boots
open my Boots application => lookup jobs *~Boots
"""

GERMAN = """
moin, wie viele jobs hab ich insgesamt => count jobs
wie viele absagen sinds jetzt => count jobs status=rejected
wie viele stellen auf meiner liste sind hybrid => count jobs remote_type=hybrid
wie viele stellen hab ich in Bremen gespeichert => count jobs location~Bremen status=saved
wie viele bewerbungen hab ich im oktober rausgeschickt => count jobs status>=applied status@october
hab ich mich schon mal bei Penny beworben => count jobs company~Penny status>=applied
hab ich mich eigentlich bei penny schon beworben? => count jobs company~penny status>=applied
hat mir diese woche jemand abgesagt => count jobs status=rejected status@this_week
zeig mir worauf ich mich beworben habe => list jobs status>=applied
was hab ich diese woche gespeichert => list jobs status>=saved status@this_week
bei welchen stellen bin ich grad im gespräch => list jobs status=interviewing
welche bewerbungen wurden abgelehnt => list jobs status=rejected
welche remotestellen hab ich gespeichert => list jobs remote_type=remote status=saved
gib mir meine kontakte bei Penny => list contacts company~Penny
wen kenn ich denn bei Penny => list contacts company~Penny
meine 3 bestbezahlten stellen => list jobs by salary_min desc limit 3
zeig mir meine 5 neuesten stellen => list jobs by created_at desc limit 5
schon irgendwelche zusagen? => count jobs status=offer
meine anschreiben bitte => list documents kind=cover_letter
alle firmen auf meiner liste => list companies
gespeicherte jobs bitte => list jobs status=saved
alle meine hybriden stellen => list jobs remote_type=hybrid
wie läufts mit der bewerbung bei Penny => lookup jobs company~Penny
wie ist der stand bei penny => lookup jobs *~penny
wann hat Penny mir abgesagt => lookup jobs *~Penny
wann hab ich den job bei Penny hinzugefügt => lookup jobs *~Penny
was zahlt der job bei Penny => lookup jobs company~Penny
ist die stelle bei Penny hybrid => lookup jobs company~Penny
wie ist die bezeichnung der stelle bei Penny => lookup jobs company~Penny
hast du die mail von Tina Weber => lookup contacts *~Tina Weber
wo arbeitet tina weber => lookup contacts *~tina weber
wer ist tina weber => lookup contacts *~tina weber
wer ist mein kontakt bei Penny => lookup contacts company~Penny
öffne meine bewerbung bei Penny => lookup jobs company~Penny
wie erreiche ich Tina Weber => lookup contacts *~Tina Weber
"""

FRENCH = """
coucou, j'ai combien de postes en tout => count jobs
combien de refus maintenant => count jobs status=rejected
combien de postes hybrides dans ma liste => count jobs remote_type=hybrid
combien d'annonces j'ai enregistrées à Nice => count jobs location~Nice status=saved
combien de candidatures j'ai envoyées en octobre => count jobs status>=applied status@october
j'ai déjà postulé chez Picard => count jobs company~Picard status>=applied
est-ce qu'on m'a refusé cette semaine => count jobs status=rejected status@this_week
montre-moi à quoi j'ai postulé => list jobs status>=applied
qu'est-ce que j'ai enregistré cette semaine => list jobs status>=saved status@this_week
quelles candidatures ont été refusées => list jobs status=rejected
quelles annonces en télétravail j'ai enregistrées => list jobs remote_type=remote status=saved
mes contacts chez Picard => list contacts company~Picard
qui je connais chez Picard => list contacts company~Picard
mes 5 postes les mieux payés => list jobs by salary_min desc limit 5
mes postes par salaire => list jobs by salary_min desc
mes lettres de motivation => list documents kind=cover_letter
les entreprises de ma liste => list companies
mes annonces enregistrées svp => list jobs status=saved
tous mes postes hybrides => list jobs remote_type=hybrid
ça avance avec Picard ? => lookup jobs *~Picard
où en est la candidature Picard => lookup jobs *~Picard
quand Picard m'a refusé => lookup jobs *~Picard
quand est-ce que j'ai ajouté le poste chez Picard => lookup jobs *~Picard
combien paye le poste chez Picard => lookup jobs company~Picard
où se trouve le poste chez Picard => lookup jobs company~Picard
quel est l'intitulé du poste chez Picard => lookup jobs company~Picard
t'as le mail de Luc Petit ? => lookup contacts *~Luc Petit
où travaille luc petit => lookup contacts *~luc petit
c'est qui Luc Petit => lookup contacts *~Luc Petit
c'est qui mon contact chez Picard => lookup contacts company~Picard
ouvre ma candidature chez Picard => lookup jobs company~Picard
comment contacter Luc Petit => lookup contacts *~Luc Petit
"""

SPANISH = """
hola, cuántos trabajos tengo en total => count jobs
cuántos rechazos van => count jobs status=rejected
cuántos puestos híbridos hay en mi lista => count jobs remote_type=hybrid
cuántas ofertas tengo guardadas este mes => count jobs status>=saved status@this_month
cuántas candidaturas mandé en octubre => count jobs status>=applied status@october
ya eché en Eroski? => count jobs company~Eroski status>=applied
ya me apunté en Eroski => count jobs company~Eroski status>=applied
me han rechazado en algún sitio esta semana => count jobs status=rejected status@this_week
enséñame a qué me he apuntado => list jobs status>=applied
qué he guardado esta semana => list jobs status>=saved status@this_week
qué candidaturas fueron rechazadas => list jobs status=rejected
qué ofertas en remoto tengo guardadas => list jobs remote_type=remote status=saved
mis contactos en Eroski => list contacts company~Eroski
a quién conozco en Eroski => list contacts company~Eroski
mis 5 puestos mejor pagados => list jobs by salary_min desc limit 5
mis ofertas por sueldo => list jobs by salary_min desc
mis cartas de presentación porfa => list documents kind=cover_letter
las empresas de mi lista => list companies
mis ofertas guardadas => list jobs status=saved
todos mis puestos híbridos => list jobs remote_type=hybrid
cómo va lo de Eroski => lookup jobs *~Eroski
cómo va la candidatura de Eroski => lookup jobs *~Eroski
cuándo me rechazó Eroski => lookup jobs *~Eroski
cuándo añadí el puesto de Eroski => lookup jobs *~Eroski
cuánto paga el puesto de Eroski => lookup jobs *~Eroski
dónde queda el puesto de Eroski => lookup jobs *~Eroski
cuál es el título del puesto de Eroski => lookup jobs *~Eroski
tienes el correo de Marta Gil? => lookup contacts *~Marta Gil
dónde trabaja marta gil => lookup contacts *~marta gil
quién es marta gil => lookup contacts *~marta gil
quién es mi contacto en Eroski => lookup contacts company~Eroski
abre mi candidatura en Eroski => lookup jobs *~Eroski
cómo contacto a Marta Gil => lookup contacts *~Marta Gil
"""

TRAPS = """
did anyone hire me at the fair
how many jobs should i have applied to already
have i applied enough already
have i applied to too many jobs already
have i already told you about Tesco
did i already ask you this
how many offers can i reject
how much does a nurse make
how much does amazon pay nurses
what does google pay for a senior engineer
is amazon remote friendly
is google hiring remote
is it still open
is it remote
when did i last update my resume
when did i start working at Tesco
when did covid start
when did amazon open in leeds
where is the interview
where's my resume
where does my sister work
who works at google
who should i contact at Deloitte
what was the salary again
what was the question
what's the number for the job centre
whats my number
i need a number
i need a job
i need more jobs
i need jobs in Boston
show me companies like Deloitte
show me the jobs everyone wants
show me the jobs nobody wants
what are the best jobs in Chicago
what are the 10 best paid jobs in the us
what are the jobs of the future
which ones should i apply to
which ones are worth it
the ones i like
give me the good ones
how many of the rejected ones were my fault
sort my life out
sort out my applications
how many jobs pay more than my current one
how many hours is a full time job at minimum
did Google reject me because of my visa
did they reject me
what happened with the second interview
what happened at the interview with Etsy
what's up
what's up with the job market
any news
anything from the recruiter
have i heard back from everyone
how is it going
how is it going with the cover letter
who do i need to know at Google
how do i reach a recruiter
how do i contact Jane Doe about the job
do i know what i want
contact details
dave olsen number two
i have already applied to Tesco
i have already applied to Tesco yesterday
not yet applied to Tesco
have i not applied to Tesco yet
have i ever applied for benefits
have i ever applied for a visa
have i applied for a loan already
did i ever apply for a passport
how many jobs are there in here and are they any good
jobs at google, show me
remote jobs, please
how many jobs pay at least 50k in Germany
how many nurses make over 50k
what is the status at the moment
ok so what now
quick question, should i apply to Tesco
just curious how many people apply to Google
how many applications does google get per day
when was the last time i applied
what did i apply for at school
what did i do wrong
everything i've applied to sucks
show me everything
show me everything about interviews
show me how many
mark the ones i applied to as rejected
the highest paid ceo
which 3 jobs should i take
which 3 jobs pay best for introverts
jobs by salary in germany
best jobs by salary
which job did i apply to
which job was it
which role was best at Google
how many jobs in marketing do i have
how many jobs do i have in mind
show me my jobs in order
show me my jobs in detail
my jobs in tech
what jobs do i have in sales
is google remote friendly
phone number for google
contact info for the recruiter
the email of the year
where is the job market going
when did i apply myself
when did i apply for leave
when did google offer me a job
what job should i apply for at Aldi
what role do i play at Aldi
which company has the best jobs
hab ich schon genug beworben
hab ich mich schon oft genug beworben?
hab ich dir schon von Bosch erzählt
hab ich mich schon für Arbeitslosengeld beworben?
hab ich mich schon um eine Wohnung beworben
hat mir schon jemand geholfen
hat schon jemand geantwortet
hat jemand tipps
gibt es schon eine stelle bei Bosch
gibts schon neue stellen
gibts ne gute firma in köln
wie viele jobs gibt es bei bosch
wie viele jobs gibts in köln
wie viele jobs zahlen besser
wie viele jobs zahlen in München über 60.000
wie viele absagen sind zu viel
was zahlt man bei Lidl
was zahlt die konkurrenz
wie hoch ist das gehalt bei lidl
ist lidl fair
ist bosch gut
ist homeoffice erlaubt
ist das remote
wo ist mein lebenslauf
wo ist das gespräch
wo arbeitet mein bruder
wer arbeitet bei bosch
wen soll ich bei Lidl fragen
wie war das gespräch bei bosch
was war nochmal die frage
wie war nochmal dein name
nummer vom arbeitsamt
ich brauche einen job
ich brauch mehr jobs
ich brauche die stelle bei bosch unbedingt
welche 3 jobs soll ich nehmen
welche jobs zahlen am besten
welche berufe zahlen am besten
die besten stellen
zeig mir die besten firmen
zeig mir stellen von letzter woche
zeig mir bewerbungen von anderen
haben die mich vergessen
haben die von Ikea überhaupt gelesen was ich schrieb
hat bosch mir abgesagt weil ich zu alt bin
warum hat bosch mir abgesagt
wie läuft es
wie läuft es so
wie siehts aus
wie siehts mit urlaub aus
wie sieht es mit dem wetter aus
was ist los
was ist mit der miete
was ist neu
als was kann ich mich bei bosch bewerben
worauf soll ich mich bewerben
wann hab ich zuletzt urlaub gehabt
wann hab ich morgen zeit
wann war das gespräch bei bosch
wann wird die stelle besetzt
jobs bei bosch, wie viele haben die
so viele absagen
kurze frage, soll ich mich bei bosch bewerben
setz die absagen auf erledigt
die absagen von bosch und lidl
ich hab mich schon bei Bosch beworben
ich hab mich bei rewe beworben, was nun
hab ich mich nicht schon bei Bosch beworben
habe ich schon ein anschreiben für Bosch geschrieben
stelle bei lidl
absage von rewe bekommen
zeig mir alle firmen in berlin
zeig mir alle stellen in berlin mit guter bezahlung
liste firmen die homeoffice anbieten
wie viele tage homeoffice hab ich
wie viele leute haben sich bei bosch beworben
sag mal, was kostet das eigentlich
also ich hab drei absagen
na dann
jobs nach feierabend
berufe nach gehalt sortiert
welche stelle passt bei Aldi zu mir
welche stelle bei Aldi ist besser
welche stelle soll ich bei aldi nehmen
wie viele jobs hab ich in planung
wie viele jobs hab ich in aussicht
alle meine jobs in ordnung
wo ist die stelle besser bezahlt
wie hieß nochmal der film
wie hieß die firma mit dem blauen logo
hat Aldi schon geöffnet
hat aldi schon geantwortet
hat Aldi schon immer abgelehnt
hat der chef schon abgesagt
hat das wetter abgesagt
email von der krankenkasse
nummer von der auskunft
wer war das
wie war das
gab es schon regen
gab es schon mal jobs bei Bosch
j'ai déjà postulé pour un appart
j'ai déjà postulé pour une bourse
j'ai déjà trop postulé
j'ai déjà mangé chez Decathlon
est-ce que j'ai déjà dit bonjour
on m'a refusé mon prêt
on m'a refusé un crédit
on m'a volé mon vélo
quelqu'un m'a appelé
quelqu'un m'a conseillé Orange
combien ça coûte
combien paie Orange à ses vendeurs
combien paient les grandes entreprises
combien gagnent plus de 35000 euros en France
combien de refus c'est normal
combien de candidatures par jour
combien d'entretiens avant une embauche
combien de contacts il faut
combien de jours de congés
y a combien d'habitants à Lyon
y a combien d'offres à Lyon
j'ai combien de chances
j'ai combien d'années d'expérience
j'ai envoyé combien de fois mon cv
où en est le marché
ça en est où avec la retraite
ça avance avec le prêt
des nouvelles de ma soeur
des nouvelles du front
c'est où la gare
c'est où Lyon
c'est quoi le smic
c'est quoi les meilleurs postes
c'est quoi les 3 plus grandes villes
c'est quoi le salaire chez Orange
c'est quoi le numéro de pôle emploi
c'était quoi la question
c'était quoi déjà
il me faut un travail
il me faut un cv
il me faut plus de temps
qui bosse chez Orange
qui je dois contacter chez Orange
je connais personne
comment contacter un recruteur
comment joindre la caf
Orange m'a refusé
Orange m'a refusé hier
pourquoi Orange m'a refusé
quand est-ce que je reçois ma paie
quand est-ce que j'ai entretien
quand postuler chez Orange
j'ai postulé chez Orange
j'ai postulé chez Orange la semaine dernière
les offres d'Orange
les offres à Lyon
les postes les mieux payés
les 3 villes où les postes sont les mieux payés
montre-moi les meilleures offres
montre les offres
fais voir
fais voir ton avis
affiche moins
trie tes réponses par date
trie les mails par date
tout ce que je veux
mes forces
ma lettre de motivation
lettre de motivation pour Orange
ouvre la porte
le poste chez Airbus est intéressant
Claire Dubois elle est sympa
où bosser à Lyon
quelle boîte choisir
dans quelle boîte postuler
est-ce qu'Orange recrute
bonjour j'ai un entretien
ok merci
du coup je fais quoi
en fait non
ya me postulé en todas partes
ya he aplicado a demasiados trabajos
ya solicité una beca
ya solicité el paro
ya apliqué crema
ya me apunté al gimnasio
ya envié el correo a Laura
ya mandé todo
me ha rechazado mi novia
alguien me ha llamado
alguien me ha recomendado Indra
me rechazaron el préstamo
me han rechazado la beca
cuántos pagan alquiler
cuántos pagan mejor
cuánto pagan a los camareros en Zara
cuánto paga el estado
cuánto paga zara a sus dependientas
cuántas ofertas hay en Madrid
cuántas ofertas recibe Indra
cuantas ofertas debería mirar
cuántos empleos hay en España
cuántas veces puedo aplicar
cuántos rechazos son normales
a cuántas entrevistas hay que ir
en cuántas semanas responden
dónde está la oficina de empleo
dónde está Indra
dónde es la entrevista
dónde trabaja mi hermana
en qué empresa trabajo mejor
en qué empresa me conviene
quién trabaja en Indra
a quién escribo en Indra
a quién conozco bien
conozco a alguien simpático
cómo va todo
cómo va el mercado
cómo va lo mío
cómo va lo del paro
cómo va la entrevista de mañana
qué pasa con el paro
qué pasa con mi novia
qué pasa
qué hay de nuevo
hay noticias
cuál era la pregunta
cuál era tu nombre
cuál era el mejor
de qué era la pregunta
de qué iba eso
cuándo es la entrevista en Indra
cuándo aplico a Indra
cuándo empiezo en Indra
cuándo guardé el archivo
necesito un trabajo
necesito trabajo en Madrid
necesito el correo de alguien
dame trabajo
dame ofertas
dame ideas
a ver qué tal
a ver si me llaman
enséñame ofertas
enséñame los mejores
ordena mi vida
ordena mis ideas por importancia
los de siempre
los mejores
los 3 mejores
cuáles son los 3 mejores
cuáles son los trabajos mejor pagados
todo lo que sé
todo lo de ayer
me apunté a Indra
apliqué en Indra ayer
Indra me rechazó
Indra me rechazó ayer
por qué me rechazó Indra
teléfono de la embajada
el puesto de Indra mola
qué puesto me va mejor
hola qué tal
vale gracias
"""
