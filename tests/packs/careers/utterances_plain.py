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
"""
