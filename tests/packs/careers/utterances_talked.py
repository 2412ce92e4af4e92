# ruff: noqa: E501 - a label stands beside its sentence
"""What nine strangers say to a job tracker, in the form of `utterances_searched`: 50 plain requests of each
in each language, a third terse, a third plain questions, a third colloquial, and 50 for a model.

No writer had seen rules or code. The first two were at hand while `clauses` was written: one wrote as on a
phone with one thumb (80 of 100 understood by the rules before), one as talkative people do who explain why
they ask (69). The next were kept back and measured once, each after the mends for the ones before it: 88,
81, 87, 92, 88, 89 and 90 of 100. Of 1,400 requests in them three were really answered in another way than labelled
("every job at Kestrel-Boyd Logistics" by title; half of "Oaxaca de Juárez"; "je me lance"), five by definition
("applications at Acme" are all rows there). Of 1,400 for a model ten were answered when they were new, four of
them by rules of older rounds: six of the one writer who was asked to be sly, three look-ups that find nothing.
Of the last two sets nothing was answered wrongly.
"""

from __future__ import annotations

ENGLISH = """
jobs in Stoke-on-Trent => list jobs location~Stoke-on-Trent
remote plumber jobs => list jobs remote_type=remote title~plumber
contacts at Brindle & Hoy => list contacts company~Brindle & Hoy
Adaeze Okonkwo-Reyes phone number => lookup contacts *~Adaeze Okonkwo-Reyes
hybrid jobs Dundee => list jobs remote_type=hybrid location~Dundee
status of the 7Larks job => lookup jobs *~7Larks
on-site welder jobs in Truro => list jobs remote_type=onsite title~welder location~Truro
withdrawn jobs at Quillfeather Ltd => list jobs status=withdrawn company~Quillfeather Ltd
How many companies do I have on file? => count companies
How many jobs did I add in February? => count jobs created_at@february
Which jobs pay more than 60k? => list jobs salary_min>=60001
What is Tamsin O'Dowd's phone number? => lookup contacts *~Tamsin O'Dowd
Who do I know at Vandermolen Tiles? => list contacts company~Vandermolen Tiles
When did I apply to Pike & 3 Sons? => lookup jobs *~Pike & 3 Sons
Show me the three best paid jobs in Halifax. => list jobs location~Halifax by salary_min desc limit 3
How many cover letters did I add this month? => count documents kind=cover_letter created_at@this_month
Which company does Ifeoma Lund work for? => lookup contacts *~Ifeoma Lund
How many rejections did I get in May? => count jobs status=rejected status@may
What does the job at Saltmarsh Veterinary pay? => lookup jobs *~Saltmarsh Veterinary
Please list the remote beekeeper jobs. => list jobs remote_type=remote title~beekeeper
How many offers have I received? => count jobs status>=offer
Where is the job at Kettlewick 24 located? => lookup jobs *~Kettlewick 24
Can you list the contacts I added last week? => list contacts created_at@last_week
How many jobs at de Groot-Ellery have I applied to? => count jobs status>=applied company~de Groot-Ellery
ok quick im on the bus how many jobs did i apply to this month => count jobs status>=applied status@this_month
need marguerite tolliver's number asap shes waiting for my call => lookup contacts *~marguerite tolliver
come on just show me the electrician jobs in hull pls => list jobs title~electrician location~hull
whats nnamdi's email again hurry => lookup contacts *~nnamdi
hey so um where am i at with the thornbury freight job => lookup jobs *~thornbury freight
gimme the remote jobs over 50k thx => list jobs remote_type=remote salary_min>=50001
how many rejections have i got now lol => count jobs status=rejected
cant scroll w one thumb just list the jobs i added today => list jobs created_at@today
sry typing fast wich jobs in aberystwyth r hybrid => list jobs remote_type=hybrid location~aberystwyth
no time, my contacts at Zephyr 9 Labs, go => list contacts company~Zephyr 9 Labs
hi can you tell me when i applied to rook & daughters my mum keeps asking => lookup jobs *~rook & daughters
the 3 newest jobs pls im at the checkout => list jobs by created_at desc limit 3
how many cover letters do i have in here, quickly please => count documents kind=cover_letter
urgh phones on 4% whats the forklift driver job paying => lookup jobs *~forklift driver
show me the jobs that rejected me last week, fast as you can thanks => list jobs status=rejected status@last_week
list my companies plz, thumbs frozen => list companies
jobs in Grimsby => list jobs location~Grimsby
remote bookkeeper jobs => list jobs remote_type=remote title~bookkeeper
contacts at Pell & Harrow => list contacts company~Pell & Harrow
number of jobs => count jobs
hybrid jobs in Aberystwyth => list jobs remote_type=hybrid location~Aberystwyth
applications yesterday => list jobs status>=applied status@yesterday
phone number Morwenna Tregaskis => lookup contacts *~Morwenna Tregaskis
jobs paying more than 45k => list jobs salary_min>=45001
forklift driver jobs at least 28k => list jobs title~forklift driver salary_min>=28000
on-site welder jobs => list jobs remote_type=onsite title~welder
contacts added this month => list contacts created_at@this_month
jobs at 4Fold Logistics => list jobs company~4Fold Logistics
How many jobs am I interviewing for? => count jobs status=interviewing
When did I apply to Quillbrook Dental? => lookup jobs *~Quillbrook Dental
What does the piano tuner job pay? => lookup jobs *~piano tuner
Which jobs was I rejected from in April? => list jobs status=rejected status@april
Who do I know at Tønder Marine? => list contacts company~Tønder Marine
What's Desmond Okonjo-Reyes's email address? => lookup contacts *~Desmond Okonjo-Reyes
Which remote jobs pay at least 52,000? => list jobs remote_type=remote salary_min>=52000
Which jobs did I add today? => list jobs created_at@today
List the jobs I withdrew from this month. => list jobs status=withdrawn status@this_month
Where do things stand with Bramley-Voss? => lookup jobs *~Bramley-Voss
How many hybrid jobs have I applied to? => count jobs status>=applied remote_type=hybrid
Show me all veterinary nurse jobs in Stoke-on-Trent. => list jobs title~veterinary nurse location~Stoke-on-Trent
Which company does Ffion Parry-Lloyd work for? => lookup contacts *~Ffion Parry-Lloyd
Good morning! My daughter is ringing at ten and she always wants a figure, so could you kindly tell me how many jobs I applied to last week? Thank you ever so much. => count jobs status>=applied status@last_week
hi there, sorry to bother you, i'm on the bus and want to give her a quick ring before lunch - what's Philippa Osei's phone number please? => lookup contacts *~Philippa Osei
Hello again, my husband thinks I only look at places near home, so would you mind showing me the jobs in Inverness please? => list jobs location~Inverness
hiya, I'm tidying up my folders while it's raining, so could I please see all my cover letters? => list documents kind=cover_letter
If it's not too much trouble, I'd like to see the jobs that turned me down this month, my counsellor likes to talk them through with me. => list jobs status=rejected status@this_month
heyy so my mum keeps asking lol, can you tell me how many jobs i'm interviewing for atm? thanks so much x => count jobs status=interviewing
Good evening, I've just had my knee done and can't travel, so would you please show me the remote jobs? Much appreciated. => list jobs remote_type=remote
Hello, the lady at the job centre needs it for her form: how many rejections did I get in February, please? => count jobs status=rejected status@february
hi! my rent's gone up so i have to be a bit choosier now, could you show me the jobs that pay at least 36k please? ta => list jobs salary_min>=36000
Sorry, me again! My memory isn't what it was – when did I apply to Hathersage Preserves? => lookup jobs *~Hathersage Preserves
Would you be so kind as to list my contacts at Dunmore 1887? I'd like to send everyone there a Christmas card. => list contacts company~Dunmore 1887
hey, hope you're well! my flatmate and i are having a little contest, so pls could you tell me how many jobs i added this week? => count jobs created_at@this_week
Hello, I trained as an upholsterer forty years ago and I'm keen to go back to it, so may I see the upholsterer jobs please? => list jobs title~upholsterer
hi, my brother's a bit nosy and keeps asking, so could you look up what the Wexcombe Zoo job pays for me? many thanks => lookup jobs *~Wexcombe Zoo
Please forgive the question, I'm only asking because my grandson set this up for me: how many companies are stored in here? => count companies
hello :) i've finally got a free evening and a cup of tea, so could you show me the seven newest jobs please? => list jobs by created_at desc limit 7
jobs at Harlow & Finch => list jobs company~Harlow & Finch
contacts at Brightwater Joinery => list contacts company~Brightwater Joinery
scaffolder jobs Aberdeen => list jobs title~scaffolder location~Aberdeen
Oona McAllister phone => lookup contacts *~Oona McAllister
electrician jobs 35k+ => list jobs title~electrician salary_min>=35000
applications this month => list jobs status>=applied status@this_month
salary Kettle & Pike 24 => lookup jobs *~Kettle & Pike 24
on-site welder jobs in Port Talbot => list jobs remote_type=onsite title~welder location~Port Talbot
What is the e-mail address of Priyanka Deshmukh-Hale? => lookup contacts *~Priyanka Deshmukh-Hale
When did I apply to Northmoor University Hospital? => lookup jobs *~Northmoor University Hospital
How many contacts do I have at Tregarthen Shipping Ltd? => count contacts company~Tregarthen Shipping Ltd
How many rejections did I get in February? => count jobs status=rejected status@february
List the teaching assistant jobs in Milton Keynes. => list jobs title~teaching assistant location~Milton Keynes
Where does Tobias Okonjo-Reyes work? => lookup contacts *~Tobias Okonjo-Reyes
Which jobs have I received an offer for? => list jobs status>=offer
What's the status of the job at 7Oaks Veterinary? => lookup jobs *~7Oaks Veterinary
Can you list every company I have stored? => list companies
How many hybrid jobs in Christchurch have I applied for? => count jobs status>=applied remote_type=hybrid location~Christchurch
Which contacts did I add last week? => list contacts created_at@last_week
hiya, can u pull up my jobs in Ballarat pls, mum wants to know whats about => list jobs location~Ballarat
morning! how many jobs did i apply for yesterday? lost count lol => count jobs status>=applied status@yesterday
need to ring Deirdre O'Shaughnessy back, whats her number again?? => lookup contacts *~Deirdre O'Shaughnessy
ok so which jobs rejected me this week, be honest => list jobs status=rejected status@this_week
right, tea's made, gimme the forklift driver jobs in Wolverhampton please => list jobs title~forklift driver location~Wolverhampton
sorry to bug you but what was the pay on the Lumen+Vale job? => lookup jobs *~Lumen+Vale
hey, who do i have as a contact at Saint-Cyr Dental Group? thx => list contacts company~Saint-Cyr Dental Group
just curious really... how many jobs are still sitting at status saved rn => count jobs status=saved
could you be a love and show me the cover letters i added this month? => list documents kind=cover_letter created_at@this_month
Jobs paying more than 60k, please and thank you – rent's going up => list jobs salary_min>=60001
need it for the jobcentre: which jobs did i withdraw from last month? => list jobs status=withdrawn status@last_month
yo show me the 10 newest jobs, been offline for ages => list jobs by created_at desc limit 10
um where does the theatre nurse job stand at the mo? => lookup jobs *~theatre nurse
any remote payroll clerk jobs in there? kid's poorly so cant commute => list jobs remote_type=remote title~payroll clerk
cheers for earlier :) how many contacts have i got altogether => count contacts
PLEASE list the jobs at Möller-Baptiste Logistics, my phone keeps dying => list jobs company~Möller-Baptiste Logistics
plasterer jobs Kettering => list jobs title~plasterer location~Kettering
intern jobs in Aberystwyth => list jobs title~intern location~Aberystwyth
phone number Oyelaran Adebisi => lookup contacts *~Oyelaran Adebisi
remote jobs over 45k => list jobs remote_type=remote salary_min>=45001
4 best paid midwife jobs => list jobs title~midwife by salary_min desc limit 4
email of Siobhán Mac Giolla => lookup contacts *~Siobhán Mac Giolla
jobs with status interviewing => list jobs status=interviewing
saved jobs at least 30k => list jobs status=saved salary_min>=30000
Show me all the care assistant jobs in Weston-super-Mare. => list jobs title~care assistant location~Weston-super-Mare
What does the job at Quillfeather Studios pay? => lookup jobs *~Quillfeather Studios
When did I apply to Dunmore Joinery? => lookup jobs *~Dunmore Joinery
Can you list the jobs that turned me down in February? => list jobs status=rejected status@february
Which contacts do I have at Pell Street Nursery? => list contacts company~Pell Street Nursery
Which company does Tomasz Wieczorek work for? => lookup contacts *~Tomasz Wieczorek
How many offers did I receive last month? => count jobs status>=offer status@last_month
Please show me the five newest jobs. => list jobs by created_at desc limit 5
Which on-site electrician jobs pay at least £38,000? => list jobs remote_type=onsite title~electrician salary_min>=38000
Show me the jobs at Haversham-Lyle that I have withdrawn from. => list jobs status=withdrawn company~Haversham-Lyle
Where is the job at Ox & Anvil 1884 based? => lookup jobs *~Ox & Anvil 1884
How many teaching assistant jobs in Hull have I applied for? => count jobs status>=applied title~teaching assistant location~Hull
hiya, could you pull up the remote illustrator jobs for me pls => list jobs remote_type=remote title~illustrator
ok so whats the mobile number for Gwen Prothero-Bailey again?? => lookup contacts *~Gwen Prothero-Bailey
morning! how many jobs did i add this week, feels like loads => count jobs created_at@this_week
my careers adviser is asking, so how many jobs have rejected me so far? => count jobs status=rejected
gimme the welder jobs in Barrow-in-Furness => list jobs title~welder location~Barrow-in-Furness
sorry to bother you but where do things stand with the Larkrise Hospice job? => lookup jobs *~Larkrise Hospice
right, rent's gone up so just the jobs paying more than 32k please => list jobs salary_min>=32001
could u show me all the contacts i've got down at Vantage9 Robotics, ta => list contacts company~Vantage9 Robotics
quick one before my shift: which jobs did i apply to yesterday => list jobs status>=applied status@yesterday
just fancy a look at the three best paid jobs in Inverness lol => list jobs location~Inverness by salary_min desc limit 3
hey hey, show me the hybrid data engineer jobs i've got in there => list jobs remote_type=hybrid title~data engineer
after 22 years on the buses i forget things, when did i apply to Mossgate Tram Depot? => lookup jobs *~Mossgate Tram Depot
can i see the offers i accepted please, mum wants to know => list jobs status=accepted
erm how many documents have i got in here now? cheers => count documents
need Mr Achterberg's email address real quick, thanks a million => lookup contacts *~Achterberg
oh go on, show us the applications i sent off in January => list jobs status>=applied status@january
warehouse operative jobs in Swindon => list jobs title~warehouse operative location~Swindon
contacts at Pell & Hargreave => list contacts company~Pell & Hargreave
phone number Adaeze Nwosu-Bright => lookup contacts *~Adaeze Nwosu-Bright
jobs paying over 55k => list jobs salary_min>=55001
saved jobs in Invercargill => list jobs status=saved location~Invercargill
hybrid jobs Wagga Wagga min 70k => list jobs remote_type=hybrid location~Wagga Wagga salary_min>=70000
status of Moorgate Tiling 24 job => lookup jobs *~Moorgate Tiling 24
contacts added this week => list contacts created_at@this_week
onsite welder jobs in Port Harcourt => list jobs remote_type=onsite title~welder location~Port Harcourt
How many dental hygienist jobs do I have in Saskatoon? => count jobs title~dental hygienist location~Saskatoon
What is Siobhán Ó Dálaigh's email address? => lookup contacts *~Siobhán Ó Dálaigh
Show me every job at Kestrel-Boyd Logistics. => list jobs company~Kestrel-Boyd Logistics
How many rejections have I had this month? => count jobs status=rejected status@this_month
When did I apply to Three Rivers Poultry? => lookup jobs *~Three Rivers Poultry
List the contacts I added last month. => list contacts created_at@last_month
How many cover letters did I add last week? => count documents kind=cover_letter created_at@last_week
Who do I know at O'Rourke Vant Ltd? => list contacts company~O'Rourke Vant Ltd
Which saved jobs pay at least 32,000? => list jobs status=saved salary_min>=32000
Which company does Thulani van Rooyen work for? => lookup contacts *~Thulani van Rooyen
What does the job at Quillfeather 9 pay? => lookup jobs *~Quillfeather 9
How many of my jobs are remote? => count jobs remote_type=remote
Which jobs have I received offers for? => list jobs status>=offer
Which jobs in Tauranga am I interviewing for? => list jobs status=interviewing location~Tauranga
hiya, can u pull up the electrician jobs in Stoke-on-Trent pls => list jobs title~electrician location~Stoke-on-Trent
my mum keeps asking lol, how many jobs have i applied to this month? => count jobs status>=applied status@this_month
sorry to bother you, but what's Priyanka Venkataraghavan's phone number again? => lookup contacts *~Priyanka Venkataraghavan
ok so I'm on the bus, quick one: where's the job at Bluegum Early Learning? => lookup jobs *~Bluegum Early Learning
hey there, gimme the jobs in Ibadan that pay more than 400k => list jobs location~Ibadan salary_min>=400001
good morning! Could you kindly show me the documents I added yesterday? Thank you. => list documents created_at@yesterday
ugh, how many rejections did i get last week.... => count jobs status=rejected status@last_week
need to ring someone there, who are my contacts at D&R Sheetmetal?? => list contacts company~D&R Sheetmetal
Before I call it a night, which jobs did I add today => list jobs created_at@today
yo whats the status on the forklift driver job => lookup jobs *~forklift driver
if you don't mind, could I see just the hybrid paralegal jobs? cheers => list jobs remote_type=hybrid title~paralegal
the wife wants to know what my 4 best-paying jobs are, ta => list jobs by salary_min desc limit 4
Kindly list out all the companies I am having in the tracker, please => list companies
just curious, how many offers have i received so far => count jobs status>=offer
can't for the life of me remember, when did I apply at St. Brannoc's Hospice? => lookup jobs *~St. Brannoc's Hospice
right then mate, chuck us the jobs that rejected me in January would ya => list jobs status=rejected status@january
jobs in Harrogate => list jobs location~Harrogate
rejections this month => list jobs status=rejected status@this_month
contacts at Pell & Wray => list contacts company~Pell & Wray
welder jobs at least 45k => list jobs title~welder salary_min>=45000
Odalys Brightwater phone number => lookup contacts *~Odalys Brightwater
jobs I am interviewing for => list jobs status=interviewing
salary of the Kestrelfold job => lookup jobs *~Kestrelfold
total number of contacts => count contacts
What is Henrik van der Loo's email address? => lookup contacts *~Henrik van der Loo
Which jobs am I currently interviewing for in Dundee? => list jobs status=interviewing location~Dundee
When did I apply to Fennimore Dental Group? => lookup jobs *~Fennimore Dental Group
Please list the on-site electrician jobs in Corby. => list jobs remote_type=onsite title~electrician location~Corby
How many rejections did I get last month? => count jobs status=rejected status@last_month
Who do I know at Ashgrove-Tully Architects? => list contacts company~Ashgrove-Tully Architects
Show me the three jobs I added most recently. => list jobs by created_at desc limit 3
Which jobs pay more than 62k? => list jobs salary_min>=62001
Which company does Precious Adeyemi-Stone work for? => lookup contacts *~Precious Adeyemi-Stone
Can you show me every cover letter I added this week? => list documents kind=cover_letter created_at@this_week
Where is the falconer job based? => lookup jobs *~falconer
How many remote jobs did I add last week? => count jobs remote_type=remote created_at@last_week
Which paralegal jobs in Norwich have I applied to? => list jobs status>=applied title~paralegal location~Norwich
What does the job at 3Rivers Haulage pay? => lookup jobs *~3Rivers Haulage
hey can u pull up the midwife jobs in Bangor, want to show my husband => list jobs title~midwife location~Bangor
quick one, what's Tomasz Wieczorek's mobile? he rang and i missed it => lookup contacts *~Tomasz Wieczorek
ok be honest how many jobs have turned me down so far lol => count jobs status=rejected
morning! could you show me the jobs i applied to yesterday pls, lost track a bit => list jobs status>=applied status@yesterday
so where do things stand with Lorne & Quill, it's been ages => lookup jobs *~Lorne & Quill
jobcentre wants a number... how many applications did i send this month?? => count jobs status>=applied status@this_month
gimme the sous chef jobs that pay 32k or more, cheers => list jobs title~sous chef salary_min>=32000
sorry to bother you again, how many cover letters have i got saved up? => count documents kind=cover_letter
im on the train so just show me the hybrid jobs in reading please => list jobs remote_type=hybrid location~reading
any chance you could list the contacts i added today? i met loads of people at the fair => list contacts created_at@today
right, coffee in hand, show me the saved jobs in Galway => list jobs status=saved location~Galway
whats the email for Siobhan O'Rafferty again, thx => lookup contacts *~Siobhan O'Rafferty
wanna feel good for a sec, which jobs have i had offers from => list jobs status>=offer
hiya, how many phlebotomist jobs do i have in here atm? => count jobs title~phlebotomist
my brain is mush today... when did i apply to Zephyr & Daughters Bakery? => lookup jobs *~Zephyr & Daughters Bakery
dont judge me but how many jobs did i withdraw from last week => count jobs status=withdrawn status@last_week
jobs in Hebden Bridge => list jobs location~Hebden Bridge
hybrid welder jobs => list jobs remote_type=hybrid title~welder
contacts at Brindle & Oake => list contacts company~Brindle & Oake
saved jobs Stoke-on-Trent => list jobs status=saved location~Stoke-on-Trent
Priya Ramanathan-Cole phone number => lookup contacts *~Priya Ramanathan-Cole
jobs at 4Corners Freight => list jobs company~4Corners Freight
remote jobs paying at least 38k => list jobs remote_type=remote salary_min>=38000
accepted jobs => list jobs status=accepted
onsite paramedic jobs in Truro => list jobs remote_type=onsite title~paramedic location~Truro
three best-paid jobs => list jobs by salary_min desc limit 3
jobs currently at offer stage => list jobs status=offer
Which remote jobs pay more than 52k? => list jobs remote_type=remote salary_min>=52001
When did I apply to Thistledown Analytics? => lookup jobs *~Thistledown Analytics
Who are my contacts at Quill & Sparrow Ltd? => list contacts company~Quill & Sparrow Ltd
How many companies do I have in my tracker? => count companies
Which company does Tomasz O'Hanlon work for? => lookup contacts *~Tomasz O'Hanlon
Which jobs have I been rejected from this week? => list jobs status=rejected status@this_week
How much does the job at Larkrise 21 pay? => lookup jobs *~Larkrise 21
Show me every hybrid job in Kirkcaldy. => list jobs remote_type=hybrid location~Kirkcaldy
How many job offers have I received? => count jobs status>=offer
How many contacts do I have at Nordvik-Hale? => count contacts company~Nordvik-Hale
List the jobs I withdrew from last month. => list jobs status=withdrawn status@last_month
What's the status of my application at Pemberly-Stokes? => lookup jobs *~Pemberly-Stokes
Can you show me the bookbinder jobs I'm interviewing for? => list jobs status=interviewing title~bookbinder
hiya, could you pull up the dental hygienist jobs in Ely pls => list jobs title~dental hygienist location~Ely
my partner keeps asking... how many jobs did i apply to this week?? => count jobs status>=applied status@this_week
ugh ok hit me, how many rejections did i get last month => count jobs status=rejected status@last_month
sorry to bother you again but whats Dafydd ap Rhys's number? => lookup contacts *~Dafydd ap Rhys
gimme all the jobs ive saved that are fully remote ta => list jobs status=saved remote_type=remote
hey, i'm on the phone with them right now, where's the job at Ostler & Daughters based? => lookup jobs *~Ostler & Daughters
just curious, how many contacts have i got altogether? => count contacts
rent went up again lol so show me the jobs that pay at least 45k please => list jobs salary_min>=45000
Morning! Which jobs did I apply to yesterday? Need it for my job coach => list jobs status>=applied status@yesterday
wheres my application to Zephyr9 at? => lookup jobs *~Zephyr9
would you mind showing me the cover letters i added this week, thanks so much => list documents kind=cover_letter created_at@this_week
can i see which companies ive got in here pls => list companies
ok coffee's ready, lets see the jobs im interviewing for => list jobs status=interviewing
quick one mate, how many documents have i got in here => count documents
Could you be a star and list my arborist jobs at Fenwick Dale? => list jobs title~arborist company~Fenwick Dale
right then, what are my four newest contacts? cheers => list contacts by created_at desc limit 4
contacts at Brindle & Sons => list contacts company~Brindle & Sons
Tamsin O'Rourke phone number => lookup contacts *~Tamsin O'Rourke
status of Quillfeather Logistics job => lookup jobs *~Quillfeather Logistics
top 5 highest paid jobs => list jobs by salary_min desc limit 5
on-site welder jobs Port Augusta => list jobs remote_type=onsite title~welder location~Port Augusta
saved forklift operator jobs => list jobs status=saved title~forklift operator
jobs applied to in february => list jobs status>=applied status@february
Ngozi Adeyemi-Clarke email => lookup contacts *~Ngozi Adeyemi-Clarke
4 newest jobs => list jobs by created_at desc limit 4
What is the salary for the Larkspur Dental job? => lookup jobs *~Larkspur Dental
Please show me all the teaching assistant jobs in Wolverhampton. => list jobs title~teaching assistant location~Wolverhampton
When did I apply to 4Tide Marine? => lookup jobs *~4Tide Marine
How many contacts do I have at Oduya Freight? => count contacts company~Oduya Freight
Which company does Priyanka Raghunathan work for? => lookup contacts *~Priyanka Raghunathan
Show me every job that pays at least $65,000. => list jobs salary_min>=65000
List the contacts I added this week. => list contacts created_at@this_week
How many offers did I receive in April? => count jobs status>=offer status@april
Where is the job at Van der Hoek Nurseries? => lookup jobs *~Van der Hoek Nurseries
What are the three newest remote jobs? => list jobs remote_type=remote by created_at desc limit 3
How many jobs in Dunedin was I rejected from? => count jobs status=rejected location~Dunedin
Can you list the companies I added last week? => list companies created_at@last_week
Which documents did I add today? => list documents created_at@today
whats Mike Kowalczyk's number pls, he's expecting my call => lookup contacts *~Mike Kowalczyk
morning! can u pull up the hybrid jobs in Halifax for me => list jobs remote_type=hybrid location~Halifax
sorry to bother you again but how many jobs did i get rejected from last week?? => count jobs status=rejected status@last_week
my wife's asking, how many jobs have I applied to so far lol => count jobs status>=applied
ok so where do things stand with the Pellworth Bakery job? => lookup jobs *~Pellworth Bakery
need to ring them in 5 mins, who are my contacts at St. Brannoc's Hospice => list contacts company~St. Brannoc's Hospice
gimme the 3 best paid electrician jobs, cheers => list jobs title~electrician by salary_min desc limit 3
lost track tbh, how many jobs have i got that are still just saved => count jobs status=saved
could you be a star and show me the cover letters i added this month => list documents kind=cover_letter created_at@this_month
yo show me the remote customer service jobs paying 30k or more => list jobs remote_type=remote title~customer service salary_min>=30000
filling in my jobcentre journal, what jobs did i apply to yesterday => list jobs status>=applied status@yesterday
quick q: when did i apply for that crane operator job? => lookup jobs *~crane operator
hiya hun, list all my jobs at Ashgrove Care Homes when you get a sec x => list jobs company~Ashgrove Care Homes
cant find Dolores Quintanilla's email anywhere, what is it? => lookup contacts *~Dolores Quintanilla
feeling brave today so show me the jobs i got rejected from in october => list jobs status=rejected status@october
hi there, hope ur well :) how many on-site jobs have i got in Milton Keynes? => count jobs remote_type=onsite location~Milton Keynes
contacts at Pym & Lacey => list contacts company~Pym & Lacey
Oona McBrannigan phone number => lookup contacts *~Oona McBrannigan
jobs paying at least 38k => list jobs salary_min>=38000
how many contacts => count contacts
jobs at Studio 9 Ceramics => list jobs company~Studio 9 Ceramics
onsite welder jobs in Port Talbot => list jobs remote_type=onsite title~welder location~Port Talbot
jobs applied to in march => list jobs status>=applied status@march
jobs im interviewing for => list jobs status=interviewing
How many jobs did I apply to in September? => count jobs status>=applied status@september
What is Tobias Ferreira-Lund's phone number? => lookup contacts *~Tobias Ferreira-Lund
When did I apply to Marrowbone Dental? => lookup jobs *~Marrowbone Dental
Can you show me all the physiotherapist jobs in Swansea? => list jobs title~physiotherapist location~Swansea
How many contacts do I have at Larkfield Logistics? => count contacts company~Larkfield Logistics
Which companies did I add this week? => list companies created_at@this_week
How many companies are on my list? => count companies
What does the job at Quill & Thistle pay? => lookup jobs *~Quill & Thistle
Show me the jobs that pay at least £31,500. => list jobs salary_min>=31500
List the documents I added this month. => list documents created_at@this_month
Which jobs turned me down yesterday? => list jobs status=rejected status@yesterday
Where is the job at 3rd Bridge Robotics? => lookup jobs *~3rd Bridge Robotics
Who does Priyanka D'Souza work for? => lookup contacts *~Priyanka D'Souza
Please list the four best paid jobs in Galway. => list jobs location~Galway by salary_min desc limit 4
hiya could u pull up the barista jobs in brighton pls x => list jobs title~barista location~brighton
ok so my mum keeps asking, how many jobs have i applied to this month?? => count jobs status>=applied status@this_month
Good morning. Would you kindly give me the e-mail address of Mrs Winifred Achterberg? Thank you. => lookup contacts *~Winifred Achterberg
right, where do things stand with the job at Grimshaw Tiles? => lookup jobs *~Grimshaw Tiles
gimme all the remote jobs paying more than 45k => list jobs remote_type=remote salary_min>=45001
I'm on the train so quickly please, what's Dev Okonkwo's phone number => lookup contacts *~Dev Okonkwo
lol how many rejections did i get last week => count jobs status=rejected status@last_week
how many jobs am i interviewing for rn, lost track tbh => count jobs status=interviewing
when did i apply to BlueHeron 24 again? cant remember => lookup jobs *~BlueHeron 24
Sorry to bother you, but I'd like to see the jobs I added last week, if you'd be so good. => list jobs created_at@last_week
My knees won't take a commute any more, so just show me the remote proofreader jobs please. => list jobs remote_type=remote title~proofreader
hey what have i got in the way of forklift driver jobs in Corby? => list jobs title~forklift driver location~Corby
Getting my paperwork in order this morning - could you list all my documents please? => list documents
ummm which jobs did i accept agan? => list jobs status=accepted
the wife wants to see the three newest jobs in Truro, ta => list jobs location~Truro by created_at desc limit 3
ooh can i see my contacts at Nkemelu & Daughters plz, popping in there later => list contacts company~Nkemelu & Daughters
"""

GERMAN = """
Jobs in Görlitz => list jobs location~Görlitz
Kontakte bei Hüttl & Söhne => list contacts company~Hüttl & Söhne
Telefonnummer Friederike von der Aue => lookup contacts *~Friederike von der Aue
hybride Jobs Kassel => list jobs remote_type=hybrid location~Kassel
Stellen als Dachdecker => list jobs title~Dachdecker
Jobs ab 48.000 => list jobs salary_min>=48000
gespeicherte Stellen => list jobs status=saved
die 5 neuesten Jobs => list jobs by created_at desc limit 5
Jobs, die ich angenommen habe => list jobs status=accepted
Stand Pixelkamm 3 Job => lookup jobs *~Pixelkamm 3
Remote-Jobs als Buchhalterin => list jobs remote_type=remote title~Buchhalterin
Stellen bei Kranz-Öztürk GmbH => list jobs company~Kranz-Öztürk GmbH
Wie viele Firmen habe ich eingetragen? => count companies
Welche Jobs zahlen mehr als 55.000 Euro? => list jobs salary_min>=55001
Wie lautet die E-Mail-Adresse von Cemile Brandstätter? => lookup contacts *~Cemile Brandstätter
Wen kenne ich bei Molkerei Tannhof? => list contacts company~Molkerei Tannhof
Wann habe ich mich bei Ruhrblech 1904 beworben? => lookup jobs *~Ruhrblech 1904
Zeig mir bitte die drei bestbezahlten Jobs in Bremerhaven. => list jobs location~Bremerhaven by salary_min desc limit 3
Wie viele Anschreiben habe ich im Oktober hinzugefügt? => count documents kind=cover_letter created_at@october
Bei welchen Jobs bin ich gerade in der Gesprächsphase? => list jobs status=interviewing
Für welche Firma arbeitet Jörg Unterweger? => lookup contacts *~Jörg Unterweger
Wie viele Absagen habe ich im Januar bekommen? => count jobs status=rejected status@january
Was zahlt die Stelle bei Optik Lindenblatt? => lookup jobs *~Optik Lindenblatt
Wie viele Angebote habe ich insgesamt erhalten? => count jobs status>=offer
Welche Stellen als Zerspanungsmechaniker sind vor Ort? => list jobs title~Zerspanungsmechaniker remote_type=onsite
Kannst du mir die Kontakte auflisten, die ich letzten Monat angelegt habe? => list contacts created_at@last_month
sag mal schnell wie viele bewerbungen hab ich diese woche rausgeschickt => count jobs status>=applied status@this_week
brauch sofort die nummer von herrn szymaniak, der wartet => lookup contacts *~szymaniak
zeig ma die jobs in wuppertal bin grad inner bahn => list jobs location~wuppertal
wie war nochmal die mail von dilara kösters, mach hin bitte => lookup contacts *~dilara kösters
so jetzt aber wie siehts mit dem job bei nordkorn logistik aus => lookup jobs *~nordkorn logistik
gib mir die remote jobs über 60k, danke dir => list jobs remote_type=remote salary_min>=60001
wieviele absagen hab ich jetzt eig => count jobs status=rejected
akku gleich leer, die jobs die ich heute hinzugefügt hab bitte => list jobs created_at@today
hab nur eine hand frei, welche hybriden jobs hab ich in regensburg => list jobs remote_type=hybrid location~regensburg
keine zeit, kontakte bei Stahl-Yıldız 24 bitte, los => list contacts company~Stahl-Yıldız 24
hey wann hab ich mich nochmal bei backhaus tietje beworben, meine frau fragt grad => lookup jobs *~backhaus tietje
zeig kurz die 3 neuesten jobs, steh an der kasse => list jobs by created_at desc limit 3
wieviele anschreiben hab ich hier drin, kurz bitte => count documents kind=cover_letter
boah wie viel gibts bei dem job als lokführer nochmal => lookup jobs *~lokführer
los zeig alle firmen, muss gleich aussteigen => list companies
äh ja hallo, wie viele leute kenn ich bei tropfstein & co, danke => count contacts company~tropfstein & co
Stellen in Bad Hersfeld => list jobs location~Bad Hersfeld
Jobs als Zerspanungsmechaniker => list jobs title~Zerspanungsmechaniker
Remote-Jobs Buchhalter => list jobs remote_type=remote title~Buchhalter
alle Dokumente => list documents
Kontakte bei Lührs & Söhne => list contacts company~Lührs & Söhne
Telefonnummer Henrike Vossbeck => lookup contacts *~Henrike Vossbeck
Hybridstellen in Gera => list jobs remote_type=hybrid location~Gera
Bewerbungen gestern => list jobs status>=applied status@yesterday
Stellen bei Nordlicht 24 GmbH => list jobs company~Nordlicht 24 GmbH
Präsenz-Jobs Wunsiedel => list jobs remote_type=onsite location~Wunsiedel
Jobs in der Interviewphase => list jobs status=interviewing
Wie viele Stellen habe ich diesen Monat hinzugefügt? => count jobs created_at@this_month
Wann habe ich mich bei der Tischlerei Overkamp beworben? => lookup jobs *~Tischlerei Overkamp
Wie lautet die E-Mail-Adresse von Cem Aydınoğlu? => lookup contacts *~Cem Aydınoğlu
Wie viele Absagen habe ich im März bekommen? => count jobs status=rejected status@march
Bei welchen Stellen habe ich meine Bewerbung zurückgezogen? => list jobs status=withdrawn
Welche Stellen in Oldenburg sind remote? => list jobs remote_type=remote location~Oldenburg
Wen kenne ich bei Spedition Kaltwasser? => list contacts company~Spedition Kaltwasser
Wie viele Firmen sind bei mir eingetragen? => count companies
Welche Stellen zahlen mehr als 55.000 Euro? => list jobs salary_min>=55001
Wie ist der Stand bei Holzbau Quast-Meyer? => lookup jobs *~Holzbau Quast-Meyer
Auf welche Stellen habe ich mich heute beworben? => list jobs status>=applied status@today
Was zahlt die Stelle als Orgelbauer? => lookup jobs *~Orgelbauer
Für welche Firma arbeitet Ingeborg von der Lippe? => lookup contacts *~Ingeborg von der Lippe
Wie viele Angebote habe ich bisher erhalten? => count jobs status>=offer
Liste mir alle Stellen als Hebamme in Husum auf. => list jobs title~Hebamme location~Husum
Guten Morgen! Mein Sachbearbeiter beim Amt möchte es nachher wissen, könnten Sie mir bitte sagen, auf wie viele Stellen ich mich letzten Monat beworben habe? Herzlichen Dank. => count jobs status>=applied status@last_month
hallöchen, ich sitz grad im zug und wollt sie kurz anrufen, hast du bitte die nummer von Swantje Poppinga für mich? => lookup contacts *~Swantje Poppinga
Entschuldigung, dass ich schon wieder frage, aber meine Frau möchte so gern an die See ziehen – zeigst du mir bitte die Stellen in Cuxhaven? => list jobs location~Cuxhaven
hey, ich hoff du hattest nen schönen tag :) weil meine eltern mich das dauernd fragen: wie viele stellen sind bei mir grad in der interviewphase? => count jobs status=interviewing
Ich bin ja nicht mehr der Jüngste und vergesse so manches, darum die Frage: Wann hatte ich mich bei Bäckerei Stüwe beworben? => lookup jobs *~Bäckerei Stüwe
Guten Tag, seit meiner Hüft-OP komme ich schlecht aus dem Haus, deshalb wäre ich dankbar, wenn Sie mir die Remote-Stellen zeigen könnten. => list jobs remote_type=remote
huhu, ich mach grad ordnung am schreibtisch und brauch nen überblick, zeigst du mir bitte mal alle anschreiben? danke dir! => list documents kind=cover_letter
Einen schönen guten Abend, mein Enkel führt für mich eine Strichliste, wie viele Absagen kamen denn diese Woche, bitte? => count jobs status=rejected status@this_week
moin, die miete ist leider schon wieder gestiegen, magst du mir bitte die jobs zeigen, die mindestens 38.000 zahlen? merci => list jobs salary_min>=38000
Wären Sie so nett, mir meine Kontakte bei Fährhaus 1904 aufzulisten? Ich will allen dort eine Karte zum Jubiläum schicken. => list contacts company~Fährhaus 1904
sorry für die störung, meine schwester will unbedingt wissen, was man da verdient, kannst du mir bitte das gehalt bei der stelle als Tierpfleger raussuchen? => lookup jobs *~Tierpfleger
Ich hab früher so gern als Floristin gearbeitet und bekomm richtig Sehnsucht danach, zeig mir doch bitte die Stellen als Floristin. => list jobs title~Floristin
Hallo, ich soll das gleich im Kurs erzählen, darum bitte kurz: Wie viele Stellen hab ich gestern hinzugefügt? Lieben Dank! => count jobs created_at@yesterday
Verzeihung, ich möchte nur sichergehen, dass beim Umzug auf den neuen Rechner nichts verloren ging: Wie viele Kontakte sind bei mir eingetragen? => count contacts
na du, endlich hab ich mal ruhe und will ein bisschen stöbern, zeigst du mir bitte die zehn neuesten stellen? => list jobs by created_at desc limit 10
Meine Beraterin spricht so etwas gern mit mir durch, damit ich daraus lerne, darum zeigen Sie mir doch bitte die Absagen vom Januar. Vielen Dank im Voraus! => list jobs status=rejected status@january
Jobs in Bielefeld => list jobs location~Bielefeld
Remote-Jobs Buchhalterin => list jobs remote_type=remote title~Buchhalterin
Telefonnummer Frauke Petersen-Lüders => lookup contacts *~Frauke Petersen-Lüders
Kontakte bei Zimmerei Obermaier => list contacts company~Zimmerei Obermaier
gemerkte Stellen in Cottbus => list jobs status=saved location~Cottbus
Elektroniker Jobs Schweinfurt => list jobs title~Elektroniker location~Schweinfurt
Hybrid-Stellen in Graz => list jobs remote_type=hybrid location~Graz
Bewerbungen im Oktober => list jobs status>=applied status@october
E-Mail Yusuf Karadeniz => lookup contacts *~Yusuf Karadeniz
Gehalt Stadtwerke Wümmetal => lookup jobs *~Stadtwerke Wümmetal
Wie viele Stellen habe ich diese Woche hinzugefügt? => count jobs created_at@this_week
Für welche Stellen führe ich gerade Vorstellungsgespräche? => list jobs status=interviewing
Wann habe ich mich bei der Klinik am Eichenhain beworben? => lookup jobs *~Klinik am Eichenhain
Zeige mir alle Stellen als Erzieherin in Sankt Pölten. => list jobs title~Erzieherin location~Sankt Pölten
Wie lautet die E-Mail-Adresse von Anneliese von der Heydt? => lookup contacts *~Anneliese von der Heydt
Für welche Stellen habe ich ein Angebot erhalten? => list jobs status>=offer
Wie viele Kontakte habe ich bei der Nordlicht 24 GmbH? => count contacts company~Nordlicht 24 GmbH
Welche Stellen in Winterthur sind remote? => list jobs remote_type=remote location~Winterthur
Bei welcher Firma arbeitet Severin Abplanalp? => lookup contacts *~Severin Abplanalp
Wie ist der Stand bei der Stelle als Orgelbauer? => lookup jobs *~Orgelbauer
Wie viele Dokumente sind insgesamt abgelegt? => count documents
Auf wie viele Stellen als Physiotherapeut habe ich mich beworben? => count jobs status>=applied title~Physiotherapeut
Welche Firmen habe ich gestern hinzugefügt? => list companies created_at@yesterday
moin, zeig mir mal bitte die Jobs in Flensburg, will nachher mit meiner Frau drüber reden => list jobs location~Flensburg
sag mal, wie viele bewerbungen hab ich diesen monat rausgeschickt? das amt fragt wieder => count jobs status>=applied status@this_month
Servus! Hast du die Nummer von Resi Hinterhuber für mich? muss sie zurückrufen => lookup contacts *~Resi Hinterhuber
grüezi, welche stellen als polymechaniker in aarau hab ich drin? merci => list jobs title~polymechaniker location~aarau
ich blick nicht mehr durch... bei welchen jobs kam gestern ne absage?? => list jobs status=rejected status@yesterday
Hey du, was zahlen die bei Krümel & Korn nochmal? hab den Zettel verlegt => lookup jobs *~Krümel & Korn
so, kaffee is da, gib mir mal die 3 neusten stellen => list jobs by created_at desc limit 3
könntest du so lieb sein und mir meine Anschreiben auflisten? danke dir! => list documents kind=cover_letter
wen hab ich eigentlich als kontakt bei der Spedition Ter Veen drin => list contacts company~Spedition Ter Veen
brauche mehr Kohle, zeig mal die Jobs mit mindestens 42k => list jobs salary_min>=42000
wieviele stellen stehen bei mir noch auf gemerkt? nur aus neugier => count jobs status=saved
Guten Abend, ich würde gern die Stellen bei der Universität Niederlahn sehen, falls es keine Umstände macht => list jobs company~Universität Niederlahn
puh, heiß heute. welche hybrid jobs als sachbearbeiterin hab ich denn? => list jobs remote_type=hybrid title~sachbearbeiterin
bitte einmal alle Kontakte, muss Weihnachtskarten schreiben => list contacts
knie ist kaputt, kann nicht mehr auf den Bau – welche Remote-Stellen hab ich letzte Woche hinzugefügt? => list jobs remote_type=remote created_at@last_week
Jobs Castrop-Rauxel => list jobs location~Castrop-Rauxel
Stellen als Zimmermann in Bad Tölz => list jobs title~Zimmermann location~Bad Tölz
Kontakte bei Höllriegel & Söhne => list contacts company~Höllriegel & Söhne
Remote-Jobs ab 55.000 => list jobs remote_type=remote salary_min>=55000
Telefonnummer Annegret von der Heyde => lookup contacts *~Annegret von der Heyde
Jobs mit Status gespeichert in Görlitz => list jobs status=saved location~Görlitz
Bewerbungen diesen Monat => list jobs status>=applied status@this_month
Jobs mit Status zurückgezogen => list jobs status=withdrawn
Hybrid-Stellen Augsburg => list jobs remote_type=hybrid location~Augsburg
Mail von Cem Özgür-Brandt => lookup contacts *~Cem Özgür-Brandt
Jobs bei Feinwerk 24 => list jobs company~Feinwerk 24
Auf wie viele Stellen habe ich mich letzten Monat beworben? => count jobs status>=applied status@last_month
Welche Jobs sind gerade in der Phase Vorstellungsgespräch? => list jobs status=interviewing
Wann habe ich mich bei der Gärtnerei Lohbusch beworben? => lookup jobs *~Gärtnerei Lohbusch
Wie viele Anschreiben habe ich hinterlegt? => count documents kind=cover_letter
Zeig mir bitte alle Jobs als Altenpflegerin in Neustadt an der Weinstraße. => list jobs title~Altenpflegerin location~Neustadt an der Weinstraße
Wie hoch ist das Gehalt bei der Stelle von Tessmar Optik? => lookup jobs *~Tessmar Optik
Welche Kontakte habe ich bei Kranz+Partner? => list contacts company~Kranz+Partner
Für welche Firma arbeitet Ludmilla Petrenko? => lookup contacts *~Ludmilla Petrenko
Wie viele Angebote habe ich im Mai bekommen? => count jobs status>=offer status@may
Welche Jobs habe ich diese Woche hinzugefügt? => list jobs created_at@this_week
Zeige mir die fünf neuesten Jobs in Chemnitz. => list jobs location~Chemnitz by created_at desc limit 5
Welche Jobs als Elektroniker zahlen mehr als 41.000 Euro? => list jobs title~Elektroniker salary_min>=41001
Wie viele Absagen habe ich insgesamt bekommen? => count jobs status=rejected
Wo ist die Stelle bei Nordlicht Tonstudio? => lookup jobs *~Nordlicht Tonstudio
Welche Unternehmen habe ich im letzten Monat hinzugefügt? => list companies created_at@last_month
Kannst du mir die Vor-Ort-Jobs als Bäckerin auflisten? => list jobs remote_type=onsite title~Bäckerin
Wie lautet die E-Mail-Adresse von Frau Szymborski? => lookup contacts *~Szymborski
moin, zeig ma die remote jobs als Texterin bitte => list jobs remote_type=remote title~Texterin
hab grad das Arbeitsamt am Telefon, wie viele bewerbungen hab ich diesen monat rausgeschickt? => count jobs status>=applied status@this_month
sag mal, wie stehts eigentlich um den Job bei Zweirad Obermaier? => lookup jobs *~Zweirad Obermaier
servus, brauch schnell die handynummer vom Xaver Hinterstoißer => lookup contacts *~Xaver Hinterstoißer
puh, wie viele jobs hab ich denn jetzt schon hier drin?? => count jobs
mit 54 nochmal neu anfangen is nich ohne ;) zeig mir mal die jobs als Busfahrer in Wuppertal => list jobs title~Busfahrer location~Wuppertal
kannste mir die absagen vom märz zeigen, danke dir => list jobs status=rejected status@march
die miete ist rauf, also zeig bitte nur jobs ab 48.000 euro => list jobs salary_min>=48000
hi, welche kontakte hab ich nochmal bei Pixelkraut GmbH => list contacts company~Pixelkraut GmbH
meine Frau fragt grad, welche angebote hab ich denn angenommen? => list jobs status=accepted
ähm wann hab ich mich nochmal bei der Kita Purzelbaum beworben => lookup jobs *~Kita Purzelbaum
semesterbeitrag steht an, bitte einmal die 4 bestbezahlten Jobs als Werkstudentin, lg => list jobs title~Werkstudentin by salary_min desc limit 4
so kaffee steht, dann zeig mal die jobs die ich gestern eingetragen hab => list jobs created_at@yesterday
wieviele kontakte sind das inzwischen eigentlich bei mir hier drin => count contacts
könntest du mir netterweise die anschreiben auflisten, die ich letzte woche hinzugefügt hab? => list documents kind=cover_letter created_at@last_week
hybride jobs in Jena pls, ich pflege ja nebenher meine Mutter => list jobs remote_type=hybrid location~Jena
Dachdecker Stellen Paderborn => list jobs title~Dachdecker location~Paderborn
Kontakte bei Wendt & Öhlmann GmbH => list contacts company~Wendt & Öhlmann GmbH
E-Mail Annelie von der Marwitz => lookup contacts *~Annelie von der Marwitz
Remote-Jobs ab 48.000 € => list jobs remote_type=remote salary_min>=48000
gemerkte Stellen in St. Pölten => list jobs status=saved location~St. Pölten
hybride Stellen Winterthur => list jobs remote_type=hybrid location~Winterthur
die 7 neuesten Stellen => list jobs by created_at desc limit 7
Stand der Stelle bei Hafenlogistik Krüger 7 => lookup jobs *~Hafenlogistik Krüger 7
Jobs bei Textilwerk Niederau => list jobs company~Textilwerk Niederau
heute hinzugefügte Kontakte => list contacts created_at@today
Logopädin Jobs Graz remote => list jobs remote_type=remote title~Logopädin location~Graz
Telefonnummer Dragan Petrović-Maier => lookup contacts *~Dragan Petrović-Maier
Wie viele Stellen als Köchin habe ich in Rostock? => count jobs title~Köchin location~Rostock
Welche Jobs sind gerade in der Gesprächsphase? => list jobs status=interviewing
Wann habe ich mich bei der Molkerei Obersteger beworben? => lookup jobs *~Molkerei Obersteger
Für welche Firma arbeitet Reto Zgraggen? => lookup contacts *~Reto Zgraggen
Welche Stellen habe ich diese Woche hinzugefügt? => list jobs created_at@this_week
Auf wie viele Stellen habe ich mich im Oktober beworben? => count jobs status>=applied status@october
Zeig mir alle Präsenzstellen in Bozen. => list jobs remote_type=onsite location~Bozen
Wie viele Kontakte habe ich bei Zerbst Anlagenbau 4.0? => count contacts company~Zerbst Anlagenbau 4.0
Welche Stellen zahlen mehr als 60.000 Euro im Jahr? => list jobs salary_min>=60001
Was zahlt der Job bei Optik Seeliger? => lookup jobs *~Optik Seeliger
Welche Dokumente habe ich letzten Monat hinzugefügt? => list documents created_at@last_month
Wie lautet die E-Mail-Adresse von Yıldız Karaca? => lookup contacts *~Yıldız Karaca
Für welche Stellen in Eupen habe ich ein Angebot bekommen? => list jobs status>=offer location~Eupen
Welche drei Jobs sind am besten bezahlt? => list jobs by salary_min desc limit 3
Wie viele Absagen habe ich diesen Monat erhalten? => count jobs status=rejected status@this_month
Welche gespeicherten Stellen sind remote? => list jobs status=saved remote_type=remote
moin, zeig ma bitte die jobs als schweißer in Wilhelmshaven => list jobs title~schweißer location~Wilhelmshaven
Grüezi, könnten Sie mir bitte meine Kontakte bei der Bäckerei Aeschlimann anzeigen? Merci vielmals => list contacts company~Bäckerei Aeschlimann
mein Berater vom Amt will das wissen: wie viele Bewerbungen hab ich letzten Monat rausgeschickt? => count jobs status>=applied status@last_month
hab den zettel verlegt... wie war nochmal die telefonnummer von Herta Niedermoser? => lookup contacts *~Herta Niedermoser
servus, welche stellen in Linz zahlen denn mindestens 39.000? => list jobs location~Linz salary_min>=39000
sorry falls ich nerve, aber wie steht's eigentlich um den Job als Erzieherin?? => lookup jobs *~Erzieherin
puh, wie viele absagen hab ich gestern bekommen => count jobs status=rejected status@yesterday
nur ganz schnell bevor der Bus kommt: welche Jobs hab ich gestern eingetragen? => list jobs created_at@yesterday
Hallöchen, magst du mir mal die hybriden Stellen als Steuerfachangestellte raussuchen, danke dir => list jobs remote_type=hybrid title~Steuerfachangestellte
sag mal, wo ist denn der Job bei Nordlicht & Söhne nochmal => lookup jobs *~Nordlicht & Söhne
Ich glaub ich hab den Überblick verloren 😅 wie viele Anschreiben hab ich denn? => count documents kind=cover_letter
gib mir bitte ma die 4 bestbezahlten Jobs, will ein bisschen träumen => list jobs by salary_min desc limit 4
meine Frau fragt grad: bei welchen Jobs hab ich im Januar ne Absage bekommen? => list jobs status=rejected status@january
Könntest du mir netterweise sagen, wann ich mich bei Tiefbau Zwickl 1897 beworben hab? => lookup jobs *~Tiefbau Zwickl 1897
heast, zeig ma bitte die gemerkten jobs in Wiener Neustadt => list jobs status=saved location~Wiener Neustadt
Guten Abend, ich räume gerade auf und hätte gern alle Kontakte, die ich letzte Woche angelegt habe. => list contacts created_at@last_week
Stellen in Paderborn => list jobs location~Paderborn
Jobs als Tischlerin => list jobs title~Tischlerin
Kontakte bei Grothe & Söhne => list contacts company~Grothe & Söhne
Telefonnummer Annegret Süßmilch => lookup contacts *~Annegret Süßmilch
hybride Stellen in Ulm => list jobs remote_type=hybrid location~Ulm
Stellen ab 48.000 € => list jobs salary_min>=48000
gemerkte Jobs Buxtehude => list jobs status=saved location~Buxtehude
Bewerbungen Wesertal Pflege 24 => list jobs status>=applied company~Wesertal Pflege 24
E-Mail Cem Yıldırımoğlu => lookup contacts *~Cem Yıldırımoğlu
Remote-Jobs als Buchhalter => list jobs remote_type=remote title~Buchhalter
Gehalt der Stelle bei Nordlicht-Optik => lookup jobs *~Nordlicht-Optik
Wann habe ich mich bei der Zimmerei Hallhuber beworben? => lookup jobs *~Zimmerei Hallhuber
Für wen arbeitet Friederike von der Aue? => lookup contacts *~Friederike von der Aue
Welche Stellen in Bad Oeynhausen habe ich gespeichert? => list jobs status=saved location~Bad Oeynhausen
Bei welchen Stellen bin ich gerade in der Gesprächsphase? => list jobs status=interviewing
Zeig mir bitte alle Stellen als Erzieherin in Gera. => list jobs title~Erzieherin location~Gera
Auf wie viele Stellen habe ich mich gestern beworben? => count jobs status>=applied status@yesterday
Wen kenne ich bei Möbius 3D-Druck? => list contacts company~Möbius 3D-Druck
Wie viele Unternehmen habe ich erfasst? => count companies
Wo ist die Stelle als Orgelbauer? => lookup jobs *~Orgelbauer
Wie lautet die Mailadresse von Jörg Petersen-Kahl? => lookup contacts *~Jörg Petersen-Kahl
Welche Stellen als Altenpfleger sind vor Ort? => list jobs remote_type=onsite title~Altenpfleger
moin, zeig ma die jobs in flensburg bitte => list jobs location~flensburg
du sag mal, wie viele bewerbungen hab ich letzten monat eigentlich rausgeschickt? das amt will das wissen => count jobs status>=applied status@last_month
hab grad nen anruf verpasst, wie war nochmal die nummer von Ludmila Krawczyk? => lookup contacts *~Ludmila Krawczyk
ok ich trau mich: wie viele absagen sinds insgesamt 🙈 => count jobs status=rejected
wie siehts eigentlich bei Kramer & Kühn aus, da wart ich schon ewig drauf => lookup jobs *~Kramer & Kühn
zeig mir doch mal fix die stellen als koch mit mindestens 36k, danke dir => list jobs title~koch salary_min>=36000
sitze grad in der bahn und brauch kurz meine kontakte bei Sonnhof Immobilien => list contacts company~Sonnhof Immobilien
Guten Morgen! Könntest du mir die Jobs zeigen, die ich heute hinzugefügt habe? => list jobs created_at@today
sorry nochmal ich, wie viele stellen als lokführer hab ich drin?? => count jobs title~lokführer
mein mann fragt grad: was zahlen die bei Hofgut Eichelmann nochmal? => lookup jobs *~Hofgut Eichelmann
hey, kannste mir die komplett remote jobs raussuchen, pendeln nervt => list jobs remote_type=remote
bräuchte mal eben alle anschreiben von letzter woche, also die ich da hinzugefügt hab => list documents kind=cover_letter created_at@last_week
so kaffee ist da, bei welchen jobs hab ich mich in Jena beworben? => list jobs status>=applied location~Jena
ach mensch wann hab ich mich denn bei der Bäckerei Zwiebelfisch beworben, weißt du das noch? => lookup jobs *~Bäckerei Zwiebelfisch
nur für meine statistik... wie viele bewerbungen hab ich diesen monat zurückgezogen => count jobs status=withdrawn status@this_month
bin etwas durcheinander, zeig mir bitte nochmal alle kontakte => list contacts
Stellen in Buxtehude => list jobs location~Buxtehude
Remote-Jobs mindestens 48k => list jobs remote_type=remote salary_min>=48000
hybride Stellen Oberursel => list jobs remote_type=hybrid location~Oberursel
Kontakte bei Wiesner & Kolb => list contacts company~Wiesner & Kolb
gespeicherte Stellen in Bad Säckingen => list jobs status=saved location~Bad Säckingen
Telefonnummer Annegret von der Heyden => lookup contacts *~Annegret von der Heyden
Stellen als Tischlerin => list jobs title~Tischlerin
gestern hinzugefügte Stellen => list jobs created_at@yesterday
angenommene Stellen => list jobs status=accepted
Bewerbungen im April abgeschickt => list jobs status>=applied status@april
Jobs bei Halbe-Meyer 24 => list jobs company~Halbe-Meyer 24
E-Mail Cem Yıldızoğlu => lookup contacts *~Cem Yıldızoğlu
Welche Stellen in Eckernförde sind remote? => list jobs remote_type=remote location~Eckernförde
Wann habe ich mich bei Krönlein Optik beworben? => lookup jobs *~Krönlein Optik
Wie lautet die E-Mail-Adresse von Mechthild Osterkamp-Lüders? => lookup contacts *~Mechthild Osterkamp-Lüders
Wen kenne ich bei Tausendschön & Söhne? => list contacts company~Tausendschön & Söhne
Zeig mir bitte alle Stellen, die mehr als 55.000 Euro zahlen. => list jobs salary_min>=55001
Für welche Firma arbeitet Jördis Petersen? => lookup contacts *~Jördis Petersen
Wie ist der Stand meiner Bewerbung bei Vierklang? => lookup jobs *~Vierklang
Welche Jobs habe ich heute hinzugefügt? => list jobs created_at@today
Wie viele Anschreiben habe ich diese Woche hinzugefügt? => count documents kind=cover_letter created_at@this_week
Wie viele Jobangebote habe ich bisher erhalten? => count jobs status>=offer
Zeig mir meine gespeicherten Stellen als Hebamme in Kempten. => list jobs status=saved title~Hebamme location~Kempten
Was zahlt die Stelle bei Rabe & Zander? => lookup jobs *~Rabe & Zander
Nenne mir die fünf neuesten Kontakte. => list contacts by created_at desc limit 5
moin, zeig mal die jobs in wilhelmshaven => list jobs location~wilhelmshaven
sorry dass ich nochmal nerve, wie war die nummer von Bogdan Wieczorek? => lookup contacts *~Bogdan Wieczorek
das Amt will's wissen: auf wie viele Stellen hab ich mich diesen Monat beworben? => count jobs status>=applied status@this_month
kannste mir mal bitte alle hybriden stellen als schornsteinfeger raussuchen => list jobs remote_type=hybrid title~schornsteinfeger
puh, wieviele absagen hab ich eigentlich letzte woche kassiert? => count jobs status=rejected status@last_week
so, kaffee steht, dann zeig mal meine gespeicherten stellen => list jobs status=saved
hey, hab grad die Personalerin dran, wo sitzt nochmal der Job bei Lindwurm Robotik? => lookup jobs *~Lindwurm Robotik
nur mal so aus neugier, wie viele firmen hab ich hier drin => count companies
Guten Morgen! Auf welche Stellen hab ich mich gestern beworben? Danke dir => list jobs status>=applied status@yesterday
gib mir mal alle kontakte von der Dr. Ohlig GmbH & Co. KG, danke! => list contacts company~Dr. Ohlig GmbH & Co. KG
die miete wird teurer, also: welche jobs zahlen mindestens 42000 => list jobs salary_min>=42000
wärst du so lieb und zeigst mir meine dokumente? => list documents
wie siehts bei Nordlicht7 aus, wie ist da der stand meiner bewerbung? lg => lookup jobs *~Nordlicht7
ach bevor ichs vergesse, welche jobs vor ort gibts in Zwiesel in meiner liste? => list jobs remote_type=onsite location~Zwiesel
mal ehrlich, wieviele anschreiben hab ich jetzt insgesamt :D => count documents kind=cover_letter
bin grad unterwegs, zeig bitte kurz die stellen die ich letzten monat zurückgezogen hab => list jobs status=withdrawn status@last_month
Stellen in Gelsenkirchen => list jobs location~Gelsenkirchen
Kontakte bei Holzbau Strobl => list contacts company~Holzbau Strobl
Telefonnummer Nilgün Yıldırım-Bergmann => lookup contacts *~Nilgün Yıldırım-Bergmann
Stellen ab 42.000 Euro => list jobs salary_min>=42000
Lokführer Jobs Graubünden => list jobs title~Lokführer location~Graubünden
Status der Stelle bei Kessler & Pohl => lookup jobs *~Kessler & Pohl
gespeicherte Stellen Linz => list jobs status=saved location~Linz
Hybridstellen in St. Gallen => list jobs remote_type=hybrid location~St. Gallen
E-Mail Aurelia Nüsslin => lookup contacts *~Aurelia Nüsslin
Stellen mit Status zurückgezogen => list jobs status=withdrawn
im März verschickte Bewerbungen => list jobs status>=applied status@march
Welche Kontakte habe ich bei Wachowiak Transporte? => list contacts company~Wachowiak Transporte
Wann habe ich mich bei Elbgarten Pflegedienst beworben? => lookup jobs *~Elbgarten Pflegedienst
Zeig mir bitte alle Stellen als Erzieherin in Bielefeld. => list jobs title~Erzieherin location~Bielefeld
Wie lautet die Handynummer von Branislav Jovičić? => lookup contacts *~Branislav Jovičić
Was zahlt die Stelle bei Tüftelwerk 3D? => lookup jobs *~Tüftelwerk 3D
Welche Jobs bringen mehr als 50.000 Euro im Jahr? => list jobs salary_min>=50001
Wie viele Jobangebote habe ich im Juni bekommen? => count jobs status>=offer status@june
Für welche Firma arbeitet Henrike Oltmanns? => lookup contacts *~Henrike Oltmanns
Wo liegt die Stelle als Fliesenleger? => lookup jobs *~Fliesenleger
Welche Firmen habe ich diese Woche hinzugefügt? => list companies created_at@this_week
Was sind die vier bestbezahlten Stellen in Vorarlberg? => list jobs location~Vorarlberg by salary_min desc limit 4
Wie viele Dokumente habe ich letzte Woche hinzugefügt? => count documents created_at@last_week
Für wie viele Stellen in Chemnitz habe ich eine Absage bekommen? => count jobs status=rejected location~Chemnitz
servus, zeig ma bitte die remote jobs her => list jobs remote_type=remote
auf welche stellen hab ich mich gestern alles beworben? brauch das fürs amt => list jobs status>=applied status@yesterday
Grüezi, ich bräuchte rasch die Mailadresse von Reto Caduff-Meier, danke vielmals => lookup contacts *~Reto Caduff-Meier
hallöchen, was ist eigentlich aus dem job bei Bäckerei Zwerenz geworden? => lookup jobs *~Bäckerei Zwerenz
puh, wie viele absagen warens letzten monat? => count jobs status=rejected status@last_month
muss gleich anrufen, welche kontakte hab ich bei Nordlicht-IT 24? => list contacts company~Nordlicht-IT 24
kannste mir mal die 3 neusten stellen als staplerfahrer zeigen => list jobs title~staplerfahrer by created_at desc limit 3
meine frau will wissen welche jobs ich in Wr. Neustadt hab, zeigst du mir die bitte? => list jobs location~Wr. Neustadt
sorry für die blöde frage aber wann hab ich mich nochmal auf die hausmeister-stelle beworben? => lookup jobs *~hausmeister
hab grad bisschen zeit, zeig mir mal alle hybrid jobs mit mindestens 55k => list jobs remote_type=hybrid salary_min>=55000
bitte einmal die anschreiben die ich diesen monat hinzugefügt hab, will mal ausmisten => list documents kind=cover_letter created_at@this_month
hey du, welche jobs hab ich denn jetzt angenommen?? => list jobs status=accepted
sei so lieb und zeig mir die Vor-Ort-Stellen in Passau, homeoffice ist nix für mich => list jobs remote_type=onsite location~Passau
mal butter bei die fische: wie viele stellen hab ich bei Möbel Harkort? => count jobs company~Möbel Harkort
ich find die nummer von Frau Szczepanski nicht mehr, wie war die? => lookup contacts *~Szczepanski
Stellen in Quedlinburg => list jobs location~Quedlinburg
Remote-Jobs => list jobs remote_type=remote
Kontakte bei Brömmelkamp & Söhne => list contacts company~Brömmelkamp & Söhne
Telefonnummer Heike Zwirner => lookup contacts *~Heike Zwirner
hybride Stellen Graz => list jobs remote_type=hybrid location~Graz
Jobs Erzieherin Bielefeld => list jobs title~Erzieherin location~Bielefeld
5 neueste Jobs => list jobs by created_at desc limit 5
Jobs bei Solarhaus 21 => list jobs company~Solarhaus 21
die drei bestbezahlten Stellen => list jobs by salary_min desc limit 3
Zerspanungsmechaniker Jobs vor Ort => list jobs remote_type=onsite title~Zerspanungsmechaniker
Wie viele Bewerbungen habe ich im Februar verschickt? => count jobs status>=applied status@february
Wann habe ich mich bei Overbeck Hydraulik beworben? => lookup jobs *~Overbeck Hydraulik
Auf welche Stellen habe ich mich diese Woche beworben? => list jobs status>=applied status@this_week
Wie lautet die E-Mail-Adresse von Ayşe Karabulut-Meier? => lookup contacts *~Ayşe Karabulut-Meier
Wie viele Stellen habe ich in Wuppertal? => count jobs location~Wuppertal
Wie hoch ist das Gehalt bei der Stelle von Nordlicht Optik? => lookup jobs *~Nordlicht Optik
Zeig mir bitte alle Stellen als Hebamme. => list jobs title~Hebamme
Bei welcher Firma arbeitet Jörn von der Heyde? => lookup contacts *~Jörn von der Heyde
Welche Stellen habe ich angenommen? => list jobs status=accepted
Wie viele Kontakte habe ich bei der Stadtbäckerei Ummen? => count contacts company~Stadtbäckerei Ummen
Wie viele Angebote habe ich diesen Monat erhalten? => count jobs status>=offer status@this_month
Liste alle Remote-Stellen auf, die mehr als 55.000 Euro zahlen. => list jobs remote_type=remote salary_min>=55001
Wie ist der Stand bei der Stelle von Feinwerk 7? => lookup jobs *~Feinwerk 7
Welche Stellen in Zürich sind hybrid? => list jobs remote_type=hybrid location~Zürich
moin, zeig ma alle jobs in flensburg => list jobs location~flensburg
Guten Tag, ich hätte gern die Telefonnummer von Frau Roswitha Pfannenstiel, vielen Dank. => lookup contacts *~Roswitha Pfannenstiel
boah wie viele absagen hab ich eig diesen monat bekommen => count jobs status=rejected status@this_month
sag mal wann hab ich mich nochmal bei Kramladen24 beworben? => lookup jobs *~Kramladen24
Das Arbeitsamt will es wissen: Auf wie viele Stellen habe ich mich letzten Monat beworben? => count jobs status>=applied status@last_month
hi kannst du mir kurz die remote jobs als grafikdesigner raussuchen, danke dir :) => list jobs remote_type=remote title~grafikdesigner
Sitze gerade im Zug, wie war noch gleich die Mailadresse von Tjark Ohlsen? => lookup contacts *~Tjark Ohlsen
bräuchte bitte alle Anschreiben die ich gestern hinzugefügt hab, lg => list documents kind=cover_letter created_at@yesterday
servus, was hab ich denn an Stellen als Koch in Innsbruck? => list jobs title~Koch location~Innsbruck
So, der Kaffee steht bereit, dann zeig mir doch bitte die Stellen, die ich heute hinzugefügt habe. => list jobs created_at@today
was zahlt nochma der job bei Özdemir Metallbau?? => lookup jobs *~Özdemir Metallbau
Ich bin nicht mehr so gut zu Fuß, deshalb zeigen Sie mir bitte nur die Homeoffice-Stellen. => list jobs remote_type=remote
hab den überblick verloren lol, wie viele firmen hab ich drin => count companies
könntest du mir mal bitte die vier neuesten kontakte zeigen => list contacts by created_at desc limit 4
in welcher stadt is der job bei Petersen & Putz nochmal => lookup jobs *~Petersen & Putz
Meine Tochter fragt dauernd: Für welche Stellen habe ich ein Angebot bekommen? => list jobs status>=offer
"""

FRENCH = """
refus le mois dernier => list jobs status=rejected status@last_month
contacts chez Bertin & Fils => list contacts company~Bertin & Fils
téléphone Solène Kerguelen-Diop => lookup contacts *~Solène Kerguelen-Diop
postes hybrides Angoulême => list jobs remote_type=hybrid location~Angoulême
postes à 35 000 minimum => list jobs salary_min>=35000
candidatures de cette semaine => list jobs status>=applied status@this_week
postes dont je me suis retiré => list jobs status=withdrawn
statut du poste chez Nacelle 12 => lookup jobs *~Nacelle 12
postes de comptable en télétravail => list jobs title~comptable remote_type=remote
postes chez Établissements Du Breuil => list jobs company~Établissements Du Breuil
À combien de postes ai-je postulé ce mois-ci ? => count jobs status>=applied status@this_month
Quelle est l'adresse mail de Yacine Delorme ? => lookup contacts *~Yacine Delorme
Qui est-ce que je connais chez Verrerie Castagnet ? => list contacts company~Verrerie Castagnet
Quand est-ce que j'ai postulé chez L'Atelier 47 ? => lookup jobs *~L'Atelier 47
Montre-moi les trois postes les mieux payés à Mulhouse. => list jobs location~Mulhouse by salary_min desc limit 3
Combien de lettres de motivation ai-je ajoutées en novembre ? => count documents kind=cover_letter created_at@november
Quels sont les postes pour lesquels je suis en phase d'entretien ? => list jobs status=interviewing
Pour quelle entreprise travaille Maëlys Tran-Gauthier ? => lookup contacts *~Maëlys Tran-Gauthier
Combien de refus ai-je reçus en avril ? => count jobs status=rejected status@april
Combien paie le poste chez Oléis Transport ? => lookup jobs *~Oléis Transport
Combien d'offres d'embauche ai-je reçues en tout ? => count jobs status>=offer
Peux-tu me lister les postes de cuisinier sur site à Roubaix ? => list jobs title~cuisinier remote_type=onsite location~Roubaix
Où se trouve le poste chez Pain & Papilles ? => lookup jobs *~Pain & Papilles
Affiche les contacts que j'ai ajoutés la semaine dernière. => list contacts created_at@last_week
bon vite jsuis dans le métro, j'ai envoyé combien de candidatures la semaine dernière => count jobs status>=applied status@last_week
il me faut le num de mme baudricourt tout de suite stp elle attend => lookup contacts *~baudricourt
allez montre les postes à perpignan jai pas le temps => list jobs location~perpignan
cest quoi deja le mail de rachid le goff => lookup contacts *~rachid le goff
euh dis moi ça en est où le poste chez transalp fret => lookup jobs *~transalp fret
balance les postes en télétravail à plus de 45k merci => list jobs remote_type=remote salary_min>=45001
jai combien de refus la au total pfff => count jobs status=rejected
plus de batterie, juste les postes que j'ai ajoutés aujourd'hui svp => list jobs created_at@today
une seule main dsl, quels postes hybrides j'ai à vannes => list jobs remote_type=hybrid location~vannes
pas le temps, mes contacts chez Mécano-Sud 31, vite => list contacts company~Mécano-Sud 31
coucou jai postulé quand chez roche et loup déjà, ma mère me saoule avec ça => lookup jobs *~roche et loup
les 3 derniers postes ajoutés stp jsuis à la caisse => list jobs by created_at desc limit 3
jai combien de lettres de motiv en tout, réponds vite stp => count documents kind=cover_letter
il paie combien deja le poste de grutier, dépêche => lookup jobs *~grutier
vas y liste mes entreprises je descends au prochain arrêt => list companies
allô oui alors je connais combien de personnes chez miel & cie, merci => count contacts company~miel & cie
postes à Quimperlé => list jobs location~Quimperlé
candidatures d'hier => list jobs status>=applied status@yesterday
contacts chez Brécourt & Fils => list contacts company~Brécourt & Fils
téléphone Maëlle Le Goff-Prigent => lookup contacts *~Maëlle Le Goff-Prigent
postes à partir de 32 000 € => list jobs salary_min>=32000
5 postes les plus récents => list jobs by created_at desc limit 5
postes chez Atelier 7bis => list jobs company~Atelier 7bis
postes en présentiel à Bayeux => list jobs remote_type=onsite location~Bayeux
postes en phase d'entretien => list jobs status=interviewing
Combien de postes ai-je ajoutés ce mois-ci ? => count jobs created_at@this_month
Quand est-ce que j'ai postulé chez Verrerie Lanoux ? => lookup jobs *~Verrerie Lanoux
Quelle est l'adresse mail de Thibault d'Estrées-Moreau ? => lookup contacts *~Thibault d'Estrées-Moreau
Pour quels postes ai-je retiré ma candidature ? => list jobs status=withdrawn
Qui est-ce que je connais chez Transports Guyader ? => list contacts company~Transports Guyader
Montre-moi les trois postes les mieux payés. => list jobs by salary_min desc limit 3
Quels postes paient plus de 48 000 euros ? => list jobs salary_min>=48001
Où en est ma candidature chez Kerloc'h Marine ? => lookup jobs *~Kerloc'h Marine
Combien paie le poste de luthier ? => lookup jobs *~luthier
Pour quelle entreprise travaille Solène Bakayoko ? => lookup contacts *~Solène Bakayoko
Combien de propositions d'embauche ai-je reçues ? => count jobs status>=offer
Affiche tous les postes de sage-femme à Saint-Dié-des-Vosges. => list jobs title~sage-femme location~Saint-Dié-des-Vosges
Quels contacts ai-je ajoutés cette semaine ? => list contacts created_at@this_week
Bonjour, ma conseillère me rappelle tout à l'heure et il lui faut un chiffre, pourriez-vous me dire à combien de postes j'ai postulé la semaine dernière, s'il vous plaît ? => count jobs status>=applied status@last_week
coucou, désolée de te déranger, je suis dans le tram et je voudrais l'appeler avant midi, tu peux me donner le numéro de Gwenaëlle Pujol stp ? merci bcp => lookup contacts *~Gwenaëlle Pujol
Bonsoir, mon mari vient d'être muté là-bas, alors auriez-vous la gentillesse de me montrer les postes à Perpignan ? => list jobs location~Perpignan
salut ! ma mère arrête pas de me demander mdr, tu peux me dire pour combien de postes je suis en phase d'entretien stp ? => count jobs status=interviewing
Excusez-moi, à mon âge on oublie un peu tout : quand avais-je postulé chez Confiserie Maupertuis ? => lookup jobs *~Confiserie Maupertuis
Bonjour, je garde mes petits-enfants et je ne peux plus faire la route, montrez-moi donc les postes en télétravail, s'il vous plaît. => list jobs remote_type=remote
hello, je fais un peu de tri dans mes papiers, tu veux bien m'afficher toutes mes lettres de motivation ? merci d'avance :) => list documents kind=cover_letter
Bonjour, c'est pour remplir un papier de la mission locale : combien de refus est-ce que j'ai eus ce mois-ci, s'il vous plaît ? => count jobs status=rejected status@this_month
bjr, mon loyer vient d'augmenter et je dois faire attention, peux-tu me sortir les postes qui paient au moins 29 000 euros svp ? => list jobs salary_min>=29000
Seriez-vous assez aimable pour me lister mes contacts chez Domaine 1832 ? J'aimerais souhaiter la bonne année à tout le monde là-bas. => list contacts company~Domaine 1832
dis, mon frère est curieux comme tout, tu peux me dire combien paie le poste de fauconnier stp ? merci à toi => lookup jobs *~fauconnier
J'ai été relieuse pendant vingt ans et ça me manque terriblement, pourriez-vous me montrer les postes de relieuse, je vous prie ? => list jobs title~relieuse
coucou c'est encore moi, avec ma coloc on fait un petit concours, j'ai ajouté combien de postes cette semaine stp ? => count jobs created_at@this_week
Pardon de vous embêter, je voudrais juste vérifier que rien ne s'est perdu quand j'ai changé d'ordinateur : combien de lettres de motivation est-ce que j'ai ? => count documents kind=cover_letter
Me revoilà, j'ai enfin une heure tranquille avec mon café, montre-moi les quatre postes les plus récents, s'il te plaît. => list jobs by created_at desc limit 4
Bonsoir, ma coach aime bien en reparler avec moi pour que je progresse, alors montrez-moi les refus reçus en janvier, s'il vous plaît. Merci infiniment. => list jobs status=rejected status@january
postes à Quimper => list jobs location~Quimper
postes plombier Saint-Étienne => list jobs title~plombier location~Saint-Étienne
candidatures envoyées en mars => list jobs status>=applied status@march
contacts chez Ateliers Le Guennec => list contacts company~Ateliers Le Guennec
téléphone Maëlys Fontanel => lookup contacts *~Maëlys Fontanel
postes au statut enregistré => list jobs status=saved
postes hybrides Liège => list jobs remote_type=hybrid location~Liège
postes à plus de 38 000 € => list jobs salary_min>=38001
salaire Dubreuil & Fils => lookup jobs *~Dubreuil & Fils
postes chez Crèche Les P'tits Loups => list jobs company~Crèche Les P'tits Loups
Combien de candidatures ai-je envoyées cette semaine ? => count jobs status>=applied status@this_week
Quand ai-je postulé à la Clinique du Val-Doré ? => lookup jobs *~Clinique du Val-Doré
Quels postes d'aide-soignante ai-je à Sherbrooke ? => list jobs title~aide-soignante location~Sherbrooke
Quelle est l'adresse e-mail de Solange Harcourt-Mbaye ? => lookup contacts *~Solange Harcourt-Mbaye
Où travaille Gwendal Kerjean ? => lookup contacts *~Gwendal Kerjean
Quels postes proposent au moins 32 000 euros ? => list jobs salary_min>=32000
Combien de lettres de motivation ai-je dans mes documents ? => count documents kind=cover_letter
Où en est ma candidature chez Transports Vandenbroucke ? => lookup jobs *~Transports Vandenbroucke
Quels postes de comptable sont en présentiel à Namur ? => list jobs remote_type=onsite title~comptable location~Namur
Peux-tu afficher les contacts de l'entreprise Boréal 3D ? => list contacts company~Boréal 3D
Combien d'entreprises ai-je enregistrées au total ? => count companies
slt tu peux me sortir les postes à Clermont-Ferrand stp, je dois choisir où chercher un appart => list jobs location~Clermont-Ferrand
coucou ! c quoi déjà le num de Fatoumata Traoré-Billon ? elle a essayé de m'appeler => lookup contacts *~Fatoumata Traoré-Billon
bon alors combien de postes j'ai ajoutés ce mois-ci? j'ai l'impression de pas avancer => count jobs created_at@this_month
Bonjour, pourriez-vous me montrer les postes de soudeur à Saint-Nazaire, s'il vous plaît ? Merci d'avance => list jobs title~soudeur location~Saint-Nazaire
dis-moi, à quels postes j'ai postulé hier? je m'y perds => list jobs status>=applied status@yesterday
allô, c'est quoi les jobs qui m'ont refusée la semaine passée? => list jobs status=rejected status@last_week
Désolé de vous déranger, combien paie déjà le poste chez Moulin & Cie ? => lookup jobs *~Moulin & Cie
hop, les 3 postes les plus récents svp, j'ai 2 min avant le bus => list jobs by created_at desc limit 3
je sais plus trop... j'ai qui comme contacts chez Hôtel des 4 Vents ? => list contacts company~Hôtel des 4 Vents
avec les gosses je peux plus bouger, montre-moi les postes 100% télétravail d'assistante RH => list jobs remote_type=remote title~assistante RH
allez courage !! pour combien de postes je suis encore en entretien là ? => count jobs status=interviewing
mon conseiller me le demande : quelles candidatures ai-je envoyées en septembre ? => list jobs status>=applied status@september
hé, le poste de géomètre-topographe, ça en est où? => lookup jobs *~géomètre-topographe
merci pour tt à l'heure, montre-moi les lettres de motivation ajoutées cette semaine => list documents kind=cover_letter created_at@this_week
vu le prix du loyer jveux voir les postes à au moins 70k merci => list jobs salary_min>=70000
svp la liste de tous mes contacts, j'en ai besoin pour mes vœux => list contacts
postes Charleville-Mézières => list jobs location~Charleville-Mézières
postes de menuisier à Quimperlé => list jobs title~menuisier location~Quimperlé
contacts chez Boisvert & Cie => list contacts company~Boisvert & Cie
postes en télétravail à plus de 40k => list jobs remote_type=remote salary_min>=40001
téléphone Maëlle Le Goff-Riou => lookup contacts *~Maëlle Le Goff-Riou
candidatures cette semaine => list jobs status>=applied status@this_week
postes hybrides Valenciennes => list jobs remote_type=hybrid location~Valenciennes
mail de Jean-Eudes d'Aubremont => lookup contacts *~Jean-Eudes d'Aubremont
tous mes documents => list documents
postes chez Atelier 27 => list jobs company~Atelier 27
postes avec le statut enregistré => list jobs status=saved
postes d'aide-soignante minimum 24 000 € => list jobs title~aide-soignante salary_min>=24000
Combien de candidatures ai-je envoyées en avril ? => count jobs status>=applied status@april
Pour quels postes suis-je en phase d'entretien ? => list jobs status=interviewing
Quand ai-je postulé chez Tissages Ravenel ? => lookup jobs *~Tissages Ravenel
Peux-tu m'afficher les postes de soudeur à Saint-Brieuc ? => list jobs title~soudeur location~Saint-Brieuc
Quel est le salaire du poste chez Novalume ? => lookup jobs *~Novalume
Quels contacts ai-je à l'Imprimerie du Vieux-Port ? => list contacts company~Imprimerie du Vieux-Port
Dans quelle entreprise travaille Fatoumata Diarrassouba ? => lookup contacts *~Fatoumata Diarrassouba
Combien de propositions d'embauche ai-je reçues ce mois-ci ? => count jobs status>=offer status@this_month
Montre-moi les cinq postes les plus récents. => list jobs by created_at desc limit 5
Quels postes d'ingénieure en télétravail paient au moins 50 000 euros ? => list jobs remote_type=remote title~ingénieure salary_min>=50000
Combien de refus ai-je reçus au total ? => count jobs status=rejected
Où se trouve le poste à la crèche Les P'tits Galets ? => lookup jobs *~Les P'tits Galets
Quelles entreprises ai-je ajoutées cette semaine ? => list companies created_at@this_week
Affiche les postes en présentiel à Bourg-en-Bresse, s'il te plaît. => list jobs remote_type=onsite location~Bourg-en-Bresse
coucou, tu peux me sortir les postes de graphiste en télétravail stp => list jobs remote_type=remote title~graphiste
jsuis au téléphone avec france travail, combien de candidatures j'ai envoyé le mois dernier ?? => count jobs status>=applied status@last_month
bon alors, ça en est où le poste chez Kerbrat Nautisme ? => lookup jobs *~Kerbrat Nautisme
il me faut vite le numéro de Mme Vandenbroucke, merci d'avance => lookup contacts *~Vandenbroucke
dis donc j'ai combien de contacts maintenant là-dedans => count contacts
après 20 ans de cuisine je change de vie lol, montre moi les postes de jardinier à Albi => list jobs title~jardinier location~Albi
salut, montre moi les refus de mars stp, je fais mes comptes => list jobs status=rejected status@march
vu le prix des loyers affiche juste les postes à partir de 35k merci => list jobs salary_min>=35000
c'est qui déjà mes contacts chez Lumen4 ? j'ai un trou => list contacts company~Lumen4
ma fille veut savoir, c'est lesquels les postes que j'ai acceptés ? => list jobs status=accepted
j'ai postulé quand déjà à la Fromagerie Escoffard ? chuis perdue => lookup jobs *~Fromagerie Escoffard
vas-y montre les 4 postes d'électricien les mieux payés => list jobs title~électricien by salary_min desc limit 4
petit café et je m'y mets : les postes ajoutés aujourd'hui svp => list jobs created_at@today
euh j'ai combien de postes en tout dans mon suivi ? => count jobs
bonsoir, pourriez-vous me lister les lettres de motivation ajoutées la semaine dernière, merci bien => list documents kind=cover_letter created_at@last_week
allez, fais voir les postes où j'ai postulé hier => list jobs status>=applied status@yesterday
jobs soudeur Saint-Nazaire => list jobs title~soudeur location~Saint-Nazaire
contacts chez Maison Lheureux-Durand => list contacts company~Maison Lheureux-Durand
numéro de téléphone Fatoumata Diallo-Keïta => lookup contacts *~Fatoumata Diallo-Keïta
postes comptable en télétravail => list jobs remote_type=remote title~comptable
emplois à plus de 65 000 $ => list jobs salary_min>=65001
postes hybrides Namur => list jobs remote_type=hybrid location~Namur
statut du poste Fromagerie du Haut-Jura => lookup jobs *~Fromagerie du Haut-Jura
postes sauvegardés Trois-Rivières => list jobs status=saved location~Trois-Rivières
documents ajoutés hier => list documents created_at@yesterday
mes entreprises => list companies
postes en présentiel à Thiès => list jobs remote_type=onsite location~Thiès
mail Gwenaëlle Le Bihan-Kermorvan => lookup contacts *~Gwenaëlle Le Bihan-Kermorvan
Combien de postes d'aide-soignante ai-je à Clermont-Ferrand ? => count jobs title~aide-soignante location~Clermont-Ferrand
Quand ai-je postulé chez Transports Nguyen & Fils ? => lookup jobs *~Transports Nguyen & Fils
Quels postes ai-je ajoutés aujourd'hui ? => list jobs created_at@today
À combien de postes ai-je postulé en septembre ? => count jobs status>=applied status@september
Quelle est l'adresse e-mail de Bertrand d'Haussonvillers ? => lookup contacts *~Bertrand d'Haussonvillers
Pour quelle entreprise travaille Aïcha Benmoussa ? => lookup contacts *~Aïcha Benmoussa
Affiche tous les emplois chez Scierie 4 Vents. => list jobs company~Scierie 4 Vents
Quels postes enregistrés paient au moins 30 000 euros ? => list jobs status=saved salary_min>=30000
Qui sont mes contacts chez Atelier Zéphyr ? => list contacts company~Atelier Zéphyr
Quels postes sont à l'étape des entretiens ? => list jobs status=interviewing
Quel est le salaire du poste chez Ferronnerie Oudart ? => lookup jobs *~Ferronnerie Oudart
Quels sont les six postes ajoutés le plus récemment ? => list jobs by created_at desc limit 6
Pour combien de postes ai-je reçu une proposition d'embauche ? => count jobs status>=offer
Combien d'entreprises figurent dans mon suivi ? => count companies
Quels postes à Lausanne ai-je acceptés ? => list jobs status=accepted location~Lausanne
coucou, tu peux me sortir les boulots de plombier à Villeurbanne stp => list jobs title~plombier location~Villeurbanne
dsl je retrouve plus rien, c'est quoi le tel de Jean-Mi Castaing ?? => lookup contacts *~Jean-Mi Castaing
Allô, peux-tu me montrer les jobs à Chicoutimi qui payent au moins 50 000 ? merci ben => list jobs location~Chicoutimi salary_min>=50000
ma conseillère me le demande, j'ai envoyé combien de candidatures le mois dernier ? => count jobs status>=applied status@last_month
pff… j'ai eu combien de refus hier ? => count jobs status=rejected status@yesterday
Bonjour, auriez-vous l'amabilité de m'indiquer où se situe le poste à la Clinique Les Tilleuls ? => lookup jobs *~Clinique Les Tilleuls
jsuis dans le tram, vite fait, ça en est où le job de magasinier => lookup jobs *~magasinier
bon alors mes contacts chez B&M Étanchéité svp, je dois les appeler => list contacts company~B&M Étanchéité
Sans vouloir abuser, tu me montres juste les postes de graphiste en hybride ? => list jobs remote_type=hybrid title~graphiste
ma femme veut savoir quels sont mes 4 jobs les mieux payés mdr => list jobs by salary_min desc limit 4
Salut, je fais un peu de tri : quels contacts est-ce que j'ai ajoutés le mois passé ? => list contacts created_at@last_month
jme rappelle plus, j'ai postulé quand chez Garage Septante-Deux ? => lookup jobs *~Garage Septante-Deux
svp grand frère, montre-moi les emplois enregistrés à Bouaké => list jobs status=saved location~Bouaké
alors voilà, avant d'aller dormir : à quels postes j'ai postulé aujourd'hui ? => list jobs status>=applied status@today
hello, par curiosité, j'ai combien de postes en télétravail ? => count jobs remote_type=remote
j'avoue j'ai lâché l'affaire plusieurs fois, montre-moi les postes pour lesquels j'ai retiré ma candidature => list jobs status=withdrawn
offres d'emploi cariste => list jobs title~cariste
refus de ce mois-ci => list jobs status=rejected status@this_month
contacts chez Berthelot & Fils => list contacts company~Berthelot & Fils
nombre de candidatures envoyées la semaine dernière => count jobs status>=applied status@last_week
téléphone de Maëlle Kerzoncuf => lookup contacts *~Maëlle Kerzoncuf
postes hybrides Villeurbanne => list jobs remote_type=hybrid location~Villeurbanne
postes à 38 000 € minimum => list jobs salary_min>=38000
candidatures Atelier 12bis => list jobs status>=applied company~Atelier 12bis
mail de Youssef Benhamadi => lookup contacts *~Youssef Benhamadi
postes graphiste full remote => list jobs remote_type=remote title~graphiste
salaire du poste chez Clairval Nautisme => lookup jobs *~Clairval Nautisme
Quand est-ce que j'ai postulé chez Ponsard-Lévy Notaires ? => lookup jobs *~Ponsard-Lévy Notaires
Dans quelle entreprise travaille Hélène de la Tournelle ? => lookup contacts *~Hélène de la Tournelle
Quels sont les postes sauvegardés à Saint-Brieuc ? => list jobs status=saved location~Saint-Brieuc
Peux-tu afficher les postes d'aide-soignante à Limoges ? => list jobs title~aide-soignante location~Limoges
À combien de postes ai-je postulé aujourd'hui ? => count jobs status>=applied status@today
Qui sont mes contacts chez Gaulthier Bois 47 ? => list contacts company~Gaulthier Bois 47
Combien d'entreprises sont enregistrées dans ma liste ? => count companies
Quels postes paient plus de 41 000 euros ? => list jobs salary_min>=41001
Où se trouve le poste de luthier ? => lookup jobs *~luthier
Combien de lettres de motivation ai-je ajoutées cette semaine ? => count documents kind=cover_letter created_at@this_week
Quelle est l'adresse mail d'Augustin Lemesle ? => lookup contacts *~Augustin Lemesle
Montre-moi les postes de boulanger en présentiel. => list jobs remote_type=onsite title~boulanger
coucou, tu peux me montrer les postes à Annecy stp => list jobs location~Annecy
dis, j'ai envoyé combien de candidatures ce mois-ci ? ma conseillère france travail me demande => count jobs status>=applied status@this_month
j'ai raté un appel, c'est quoi déjà le numéro de Fatoumata Keïta-Roux ? => lookup contacts *~Fatoumata Keïta-Roux
bon allez je me lance, combien de refus en tout ?? => count jobs status=rejected
on en est où avec Maison Duvivier & Co, ça fait un bail => lookup jobs *~Maison Duvivier & Co
stp sors-moi les postes de plombier à au moins 30k, merci d'avance => list jobs title~plombier salary_min>=30000
je suis dans le métro, affiche juste mes contacts chez Solenvie svp => list contacts company~Solenvie
Bonjour ! Pourriez-vous m'afficher les postes que j'ai ajoutés la semaine dernière ? Merci => list jobs created_at@last_week
desolee encore moi, j'ai combien de postes de sage-femme dans ma liste ? => count jobs title~sage-femme
ma copine me demande, ils paient combien déjà chez Verger des Oules ? => lookup jobs *~Verger des Oules
marre des trajets, montre moi les postes 100% à distance => list jobs remote_type=remote
petite question avant ma pause : j'ai postulé à quels postes à Roubaix ? => list jobs status>=applied location~Roubaix
oups trou de mémoire, j'ai postulé quand chez Garage Tixier déjà ? => lookup jobs *~Garage Tixier
alors du coup j'ai combien de lettres de motivation ici ? je m'y perds => count documents kind=cover_letter
salut, j'ai rencontré plein de monde au salon, tu me listes les contacts ajoutés aujourd'hui ? => list contacts created_at@today
pour me remonter le moral, montre-moi les postes où j'ai accepté l'offre :) => list jobs status=accepted
jobs en télétravail => list jobs remote_type=remote
postes de soudeur en hybride => list jobs remote_type=hybrid title~soudeur
contacts chez Maréchal & Quintin => list contacts company~Maréchal & Quintin
refus ce mois-ci => list jobs status=rejected status@this_month
téléphone Solène Le Goff-Daubert => lookup contacts *~Solène Le Goff-Daubert
postes enregistrés à L'Isle-sur-la-Sorgue => list jobs status=saved location~L'Isle-sur-la-Sorgue
postes à au moins 35k => list jobs salary_min>=35000
postes chez Atelier 47 => list jobs company~Atelier 47
postes acceptés => list jobs status=accepted
mail de Bakary N'Dour-Vasseur => lookup contacts *~Bakary N'Dour-Vasseur
postes d'ébéniste sur site à Figeac => list jobs remote_type=onsite title~ébéniste location~Figeac
Quels postes en télétravail paient plus de 42 000 euros ? => list jobs remote_type=remote salary_min>=42001
Quand est-ce que j'ai postulé chez Biscuiterie Kermadec ? => lookup jobs *~Biscuiterie Kermadec
Quelle est l'adresse mail d'Eulalie de Montreynaud ? => lookup contacts *~Eulalie de Montreynaud
Qui sont mes contacts chez Voltarine ? => list contacts company~Voltarine
Pour quelle entreprise travaille Ghislain Tchébé ? => lookup contacts *~Ghislain Tchébé
Où en est ma candidature chez Pic & Plume ? => lookup jobs *~Pic & Plume
Combien de refus ai-je reçus la semaine dernière ? => count jobs status=rejected status@last_week
Montre-moi les postes pour lesquels je suis en cours d'entretien. => list jobs status=interviewing
Peux-tu afficher les entreprises que j'ai dans mon suivi ? => list companies
Combien est payé le poste chez Tour d'Ivoire 3D ? => lookup jobs *~Tour d'Ivoire 3D
Combien de lettres de motivation ai-je ajoutées ce mois-ci ? => count documents kind=cover_letter created_at@this_month
Affiche les postes hybrides d'orthophoniste à Mont-de-Marsan. => list jobs remote_type=hybrid title~orthophoniste location~Mont-de-Marsan
Combien de contacts ai-je chez Rives-Lagarde ? => count contacts company~Rives-Lagarde
coucou, tu peux me sortir les postes à Douarnenez stp => list jobs location~Douarnenez
désolée de te redemander, c'est quoi le numéro de Maïwenn Quéré ? => lookup contacts *~Maïwenn Quéré
ma conseillère me harcèle mdr, j'ai postulé à combien de postes cette semaine ? => count jobs status>=applied status@this_week
bon allez, fais voir les refus du mois dernier => list jobs status=rejected status@last_month
par curiosité, j'ai combien de documents là-dedans ? => count documents
jsuis au tel avec eux là, c'est où déjà le poste chez Grandval et Fils ? => lookup jobs *~Grandval et Fils
le loyer augmente donc montre moi les jobs qui paient au moins 38000 merci => list jobs salary_min>=38000
Salut ! À quels postes j'ai postulé la semaine dernière ? C'est pour mon dossier => list jobs status>=applied status@last_week
tu peux me filer la liste de mes contacts stp ? merciii => list contacts
pfff j'en suis où avec Kerbiquet déjà => lookup jobs *~Kerbiquet
si ça te dérange pas, montre les postes de grutière que j'ai enregistrés => list jobs status=saved title~grutière
dis, j'ai combien de boîtes en tout dans mon suivi ? => count companies
hello, les postes full télétravail chez Nuage & Co svp => list jobs remote_type=remote company~Nuage & Co
bonjour, je voudrais voir les contacts que j'ai ajoutés hier, merci d'avance => list contacts created_at@yesterday
ok le café est prêt, montre moi les postes où j'ai retiré ma candidature en mai => list jobs status=withdrawn status@may
tiens au fait, combien de lettres de motiv j'ai au total ? => count documents kind=cover_letter
postes à Saint-Nazaire => list jobs location~Saint-Nazaire
contacts chez Menuiserie Kerdoncuff => list contacts company~Menuiserie Kerdoncuff
téléphone de Mamadou Diarrassouba => lookup contacts *~Mamadou Diarrassouba
postes à plus de 35 000 € => list jobs salary_min>=35001
statut du poste chez Aqua-Pro 79 => lookup jobs *~Aqua-Pro 79
emplois soudeur Trois-Rivières => list jobs title~soudeur location~Trois-Rivières
postes hybrides Louvain-la-Neuve => list jobs remote_type=hybrid location~Louvain-la-Neuve
courriel de Geneviève Thibodeau-Roy => lookup contacts *~Geneviève Thibodeau-Roy
postes sauvegardés aide-soignante => list jobs status=saved title~aide-soignante
documents ajoutés cette semaine => list documents created_at@this_week
Quand ai-je postulé chez Transports Le Goff ? => lookup jobs *~Transports Le Goff
Quels sont mes contacts chez Dupré & Fille ? => list contacts company~Dupré & Fille
Peux-tu afficher les postes d'électricien à Charleroi ? => list jobs title~électricien location~Charleroi
Dans quelle entreprise travaille Aïssatou Baldé ? => lookup contacts *~Aïssatou Baldé
Quel est le salaire du poste de grutier ? => lookup jobs *~grutier
Combien de propositions d'embauche ai-je reçues en mai ? => count jobs status>=offer status@may
Montre-moi les postes en présentiel à Sion. => list jobs remote_type=onsite location~Sion
Où se trouve le poste à la Clinique des Érables ? => lookup jobs *~Clinique des Érables
Quels sont les trois postes ajoutés le plus récemment ? => list jobs by created_at desc limit 3
Combien de contacts ai-je ajoutés aujourd'hui ? => count contacts created_at@today
Affiche tous les postes dont le salaire est d'au moins 48 000 dollars. => list jobs salary_min>=48000
Pour combien de postes à Casablanca ai-je reçu un refus ? => count jobs status=rejected location~Casablanca
coucou, tu peux me ressortir le mail de Solène Le Bihan stp ? => lookup contacts *~Solène Le Bihan
bon alors, j'ai postulé à combien de postes hier ? => count jobs status>=applied status@yesterday
dsl je suis nulle en ordi, vous pouvez me montrer tous mes contacts svp => list contacts
allô, peux-tu me sortir les jobs à Rimouski, mon chum veut voir ça => list jobs location~Rimouski
slt c quoi le numéro de Kévin Pruvost, je dois l'appeler dans 5 min => lookup contacts *~Kévin Pruvost
Bonjour, c'est pour mon conseiller France Travail : à quels postes ai-je postulé le mois dernier ? Merci beaucoup => list jobs status>=applied status@last_month
pfff j'en ai marre, j'ai eu combien de refus cette semaine ? => count jobs status=rejected status@this_week
il en est où le poste chez Boulange'Rit ? ça commence à faire long => lookup jobs *~Boulange'Rit
vas-y montre les postes en télétravail à plus de 40k => list jobs remote_type=remote salary_min>=40001
Bonsoir, auriez-vous l'amabilité de m'afficher les lettres de motivation que j'ai ajoutées hier ? => list documents kind=cover_letter created_at@yesterday
juste par curiosité, j'ai combien de postes de cariste ? => count jobs title~cariste
dis, c'était quand déjà que j'ai postulé chez N'Guessan BTP ? => lookup jobs *~N'Guessan BTP
ok je fais du tri là, sors-moi les postes que j'ai juste sauvegardés => list jobs status=saved
les 2 jobs les mieux payés à Genève svp, c'est pour rêver un peu 😅 => list jobs location~Genève by salary_min desc limit 2
je passe les voir tantôt, j'ai qui comme contacts chez Ferronnerie Vandenbroucke => list contacts company~Ferronnerie Vandenbroucke
salut, j'ai accepté quels postes finalement ? => list jobs status=accepted
offres d'emploi à Quimper => list jobs location~Quimper
contacts chez Vasseur & Fils => list contacts company~Vasseur & Fils
tél Solène Kerbrat => lookup contacts *~Solène Kerbrat
emplois hybrides Villeurbanne => list jobs remote_type=hybrid location~Villeurbanne
candidatures envoyées cette semaine => list jobs status>=applied status@this_week
3 postes les mieux payés => list jobs by salary_min desc limit 3
postes chez Atelier 48 => list jobs company~Atelier 48
postes infirmière Besançon => list jobs title~infirmière location~Besançon
entreprises ajoutées hier => list companies created_at@yesterday
6 postes les plus récents => list jobs by created_at desc limit 6
postes où j'ai retiré ma candidature => list jobs status=withdrawn
Quand ai-je postulé chez Optique du Vieux-Port ? => lookup jobs *~Optique du Vieux-Port
Quels sont mes contacts à la Scierie Aubertin ? => list contacts company~Scierie Aubertin
Quel est le numéro de téléphone de Maëlle Le Guennec ? => lookup contacts *~Maëlle Le Guennec
Montre-moi les postes de menuisier à Clermont-Ferrand. => list jobs title~menuisier location~Clermont-Ferrand
Combien d'entreprises y a-t-il dans ma liste ? => count companies
Quel est le salaire du poste chez Biocéa ? => lookup jobs *~Biocéa
Affiche les postes en présentiel à Mulhouse. => list jobs remote_type=onsite location~Mulhouse
Pour quelle entreprise travaille Ousmane Diarra-Petit ? => lookup contacts *~Ousmane Diarra-Petit
Quels postes paient plus de 41 000 € ? => list jobs salary_min>=41001
Combien de documents ai-je ajoutés ce mois-ci ? => count documents created_at@this_month
Où en est le poste chez Transports Guilloux ? => lookup jobs *~Transports Guilloux
Pouvez-vous lister les contacts que j'ai ajoutés aujourd'hui ? => list contacts created_at@today
coucou tu peux me sortir les postes de serveuse à annecy stp => list jobs title~serveuse location~annecy
Bonjour, auriez-vous l'amabilité de m'indiquer l'adresse e-mail de Mme Geneviève Taillandier ? Merci d'avance. => lookup contacts *~Geneviève Taillandier
mdr j'ai eu combien de refus ce mois ci => count jobs status=rejected status@this_month
j'ai postulé quand déjà chez Pixel&Co ? => lookup jobs *~Pixel&Co
Ma conseillère France Travail me le demande : à combien de postes ai-je postulé le mois dernier ? => count jobs status>=applied status@last_month
vas y montre les jobs en télétravail qui paient au moins 33k => list jobs remote_type=remote salary_min>=33000
dis c quoi le num de Yanis Belkacem => lookup contacts *~Yanis Belkacem
Je n'ai plus l'âge de courir partout, montrez-moi seulement les postes de comptable en télétravail, s'il vous plaît. => list jobs remote_type=remote title~comptable
bon je m'y remets, quels postes j'ai ajoutés la semaine dernière ? => list jobs created_at@last_week
il est dans quelle ville déjà le poste à la Fromagerie Roc 12 ? => lookup jobs *~Fromagerie Roc 12
slt j'ai quoi comme postes de soudeur à Saint-Nazaire? => list jobs title~soudeur location~Saint-Nazaire
Petit point avant les vacances : combien j'ai de lettres de motivation en tout ? => count documents kind=cover_letter
jsuis perdue là, c'est quoi les postes où j'ai postulé hier ?? => list jobs status>=applied status@yesterday
mon mari veut voir les deux postes les mieux payés à Pau, merci => list jobs location~Pau by salary_min desc limit 2
rappelle-moi les postes pour lesquels j'ai reçu une offre, je m'y perds => list jobs status>=offer
tu me donnes mes contacts chez Dubreuil Paysages stp, j'y passe tout à l'heure => list contacts company~Dubreuil Paysages
"""

SPANISH = """
trabajos en Ponferrada => list jobs location~Ponferrada
rechazos del mes pasado => list jobs status=rejected status@last_month
contactos en Muñiz & Hijos => list contacts company~Muñiz & Hijos
teléfono de Begoña Iturralde => lookup contacts *~Begoña Iturralde
trabajos híbridos Rosario => list jobs remote_type=hybrid location~Rosario
puestos de fontanero => list jobs title~fontanero
trabajos de 28.000 o más => list jobs salary_min>=28000
candidaturas de esta semana => list jobs status>=applied status@this_week
los 5 trabajos más recientes => list jobs by created_at desc limit 5
estado del puesto en Tuerca 88 => lookup jobs *~Tuerca 88
trabajos remotos de contable => list jobs remote_type=remote title~contable
puestos en Grupo De la Vega-Pons => list jobs company~Grupo De la Vega-Pons
¿A cuántos trabajos me postulé este mes? => count jobs status>=applied status@this_month
¿Qué puestos pagan más de 36.000 euros? => list jobs salary_min>=36001
¿Cuál es el correo de Ximena Urquiza? => lookup contacts *~Ximena Urquiza
¿A quién conozco en Cerámicas Albaida? => list contacts company~Cerámicas Albaida
¿Cuándo me postulé en Molino 1932? => lookup jobs *~Molino 1932
Muéstrame los tres trabajos mejor pagados de Albacete. => list jobs location~Albacete by salary_min desc limit 3
¿Cuántas cartas de presentación añadí en septiembre? => count documents kind=cover_letter created_at@september
¿Para qué empresa trabaja Iñaki Sotomayor? => lookup contacts *~Iñaki Sotomayor
¿Cuánto pagan en el puesto de Clínica Veterinaria Ñandú? => lookup jobs *~Clínica Veterinaria Ñandú
¿Cuántas ofertas de empleo me han hecho hasta ahora? => count jobs status>=offer
¿Qué trabajos agregué ayer? => list jobs created_at@yesterday
¿Puedes listar los puestos presenciales de cocinero en Mendoza? => list jobs remote_type=onsite title~cocinero location~Mendoza
¿Dónde está el puesto de Sal & Brasa? => lookup jobs *~Sal & Brasa
Enséñame los contactos que añadí la semana pasada. => list contacts created_at@last_week
a ver rápido que voy en el bus, cuántas candidaturas mandé la semana pasada => count jobs status>=applied status@last_week
necesito ya el número de la señora echevarría que me está esperando => lookup contacts *~echevarría
venga enséñame los trabajos en cádiz q no tengo tiempo => list jobs location~cádiz
cual era el correo de facundo del río, apúrate porfa => lookup contacts *~facundo del río
oye eh cómo va lo del puesto en transportes quilpué => lookup jobs *~transportes quilpué
dame los trabajos remotos de más de 40k gracias => list jobs remote_type=remote salary_min>=40001
cuantos rechazos llevo ya jajaja => count jobs status=rejected
me queda 3% de batería, solo los trabajos que añadí hoy porfa => list jobs created_at@today
perdón escribo con una mano, q trabajos hibridos tengo en lugo => list jobs remote_type=hybrid location~lugo
no tengo tiempo, mis contactos en Redes-Sur 21, ya => list contacts company~Redes-Sur 21
hola cuando fue q me postulé en panadería los olmos, mi madre no para de preguntar => lookup jobs *~panadería los olmos
los 3 trabajos más nuevos porfis q estoy en la caja => list jobs by created_at desc limit 3
cuantas cartas de presentación tengo aquí, rapidito => count documents kind=cover_letter
uf cuánto pagaban en el puesto de soldador, date prisa => lookup jobs *~soldador
dale listame las empresas que ya me bajo => list companies
sí hola mira a cuánta gente conozco en lana y co, gracias => count contacts company~lana y co
trabajos en Torrelavega => list jobs location~Torrelavega
puestos de soldador => list jobs title~soldador
puestos remotos de contable => list jobs remote_type=remote title~contable
contactos en Ferrán & Ochoa => list contacts company~Ferrán & Ochoa
teléfono Itziar Goikoetxea => lookup contacts *~Itziar Goikoetxea
puestos híbridos Ponferrada => list jobs remote_type=hybrid location~Ponferrada
trabajos desde 24.000 euros => list jobs salary_min>=24000
vacantes de la empresa Grupo 3Mares => list jobs company~Grupo 3Mares
puestos presenciales en Calahorra => list jobs remote_type=onsite location~Calahorra
trabajos en fase de entrevista => list jobs status=interviewing
¿Cuántos puestos he añadido este mes? => count jobs created_at@this_month
¿Cuándo apliqué a Textiles Añorga? => lookup jobs *~Textiles Añorga
¿Cuál es el correo de Nazaret de la Cruz? => lookup contacts *~Nazaret de la Cruz
¿Cuántos rechazos recibí en mayo? => count jobs status=rejected status@may
¿De qué puestos he retirado mi candidatura? => list jobs status=withdrawn
¿A quién conozco en Astilleros Barreira-Lugo? => list contacts company~Astilleros Barreira-Lugo
Muéstrame los tres puestos mejor pagados. => list jobs by salary_min desc limit 3
¿Qué vacantes pagan más de 35.000 euros? => list jobs salary_min>=35001
¿En qué estado está mi candidatura en Clínica Arbeloa? => lookup jobs *~Clínica Arbeloa
¿A qué puestos me he postulado hoy? => list jobs status>=applied status@today
¿Cuánto pagan en el puesto de afinador de pianos? => lookup jobs *~afinador de pianos
¿En qué empresa trabaja Xiomara Quispe? => lookup contacts *~Xiomara Quispe
¿En cuántos puestos me han hecho una oferta? => count jobs status>=offer
Enséñame todos los puestos de matrona en Mérida. => list jobs title~matrona location~Mérida
Quiero ver los trabajos remotos que pagan al menos 30.000 euros. => list jobs remote_type=remote salary_min>=30000
Buenos días, la orientadora me va a llamar ahora y siempre me pide la cifra, ¿sería tan amable de decirme a cuántos puestos me postulé la semana pasada? Muchísimas gracias. => count jobs status>=applied status@last_week
holaa perdona q te moleste, voy en el metro y quiero llamarla antes de comer, me das el teléfono de Remedios Alcaraz porfa? => lookup contacts *~Remedios Alcaraz
Buenas tardes, mi marido tiene a toda su familia allí y queremos mudarnos, ¿me enseña por favor los puestos en Almuñécar? => list jobs location~Almuñécar
hola!! mi madre no para de preguntarme jajaja, me dices porfa en cuántos puestos estoy en fase de entrevista? mil gracias => count jobs status=interviewing
Disculpe usted, que con los años una se olvida de todo: ¿cuándo me postulé a Conservas Etxebarria? => lookup jobs *~Conservas Etxebarria
Buenas noches, acabo de operarme de la rodilla y no puedo desplazarme, así que le agradecería que me mostrara los trabajos remotos. => list jobs remote_type=remote
hola, estoy ordenando un poco la casa y también los papeles, me enseñas por favor todas mis cartas de presentación? gracias guapo => list documents kind=cover_letter
Muy buenas, es para un papel que me pide el ayuntamiento: ¿cuántos rechazos he tenido este mes, por favor? => count jobs status=rejected status@this_month
buenas, me han subido el alquiler y tengo q mirar más el dinero, me sacas porfa los trabajos que pagan por lo menos 21.000 euros? => list jobs salary_min>=21000
¿Tendría la bondad de listarme los contactos que tengo en Bodegas 1911? Quisiera felicitarles las fiestas a todos. => list contacts company~Bodegas 1911
oye perdona, mi hermano es un cotilla y quiere saberlo, me dices cuánto pagan en el puesto de apicultor? graciasss => lookup jobs *~apicultor
Fui modista toda la vida y lo echo mucho de menos, ¿me haría el favor de enseñarme los puestos de modista? => list jobs title~modista
hola otra vez, es que con mi prima hicimos una apuesta, cuántos puestos agregué esta semana por favor? => count jobs created_at@this_week
Perdone la molestia, mi nieto me cambió el ordenador y quiero comprobar que no se ha perdido nada: ¿cuántas cartas de presentación tengo? => count documents kind=cover_letter
Hola, por fin tengo un ratito tranquilo con mi mate, ¿me mostrás por favor los seis puestos más recientes? => list jobs by created_at desc limit 6
Buenas, a mi psicóloga le gusta que los repasemos juntas para que no me desanime, así que muéstreme por favor los rechazos de enero. Que Dios se lo pague. => list jobs status=rejected status@january
trabajos en Cuenca => list jobs location~Cuenca
vacantes remotas contadora => list jobs remote_type=remote title~contadora
contactos en Talleres Urrutia => list contacts company~Talleres Urrutia
teléfono Itziar Zabalgoitia => lookup contacts *~Itziar Zabalgoitia
empleos de más de 30.000 => list jobs salary_min>=30001
puestos híbridos Guadalajara => list jobs remote_type=hybrid location~Guadalajara
candidaturas enviadas en abril => list jobs status>=applied status@april
puestos de electricista en Antofagasta => list jobs title~electricista location~Antofagasta
los 5 trabajos más nuevos => list jobs by created_at desc limit 5
empleos con estado guardado => list jobs status=saved
puestos en la empresa Peña & Hijos => list jobs company~Peña & Hijos
sueldo Clínica Río Claro => lookup jobs *~Clínica Río Claro
correo Facundo Etchegaray => lookup contacts *~Facundo Etchegaray
trabajos presenciales de mesera Querétaro => list jobs remote_type=onsite title~mesera location~Querétaro
¿A cuántos empleos me he postulado esta semana? => count jobs status>=applied status@this_week
¿Para qué puestos estoy en proceso de entrevistas? => list jobs status=interviewing
¿Cuándo envié la solicitud a Panificadora 3 Espigas? => lookup jobs *~Panificadora 3 Espigas
¿Cuáles son los tres puestos mejor pagados? => list jobs by salary_min desc limit 3
¿Qué vacantes de enfermera tengo en Barranquilla? => list jobs title~enfermera location~Barranquilla
¿Cuál es el correo electrónico de Marisol de la Fuente Quispe? => lookup contacts *~Marisol de la Fuente Quispe
¿Para qué puestos he recibido una oferta? => list jobs status>=offer
¿En qué empresa trabaja Nahuel Inostroza? => lookup contacts *~Nahuel Inostroza
Muéstrame los empleos remotos que pagan al menos 25.000 euros. => list jobs remote_type=remote salary_min>=25000
¿Cuántos contactos tengo en Logística Ybarra-Sund? => count contacts company~Logística Ybarra-Sund
¿En qué estado está el puesto de restauradora de arte? => lookup jobs *~restauradora de arte
¿Qué puesto está en estado aceptado? => list jobs status=accepted
holaa me enseñas porfa los curros en Albacete? q igual me mudo con mi novia => list jobs location~Albacete
che, a cuántos laburos me postulé este mes? mi vieja no me cree jaja => count jobs status>=applied status@this_month
buenas, me pasas el número de Socorro Xicoténcatl? tengo que devolverle la llamada => lookup contacts *~Socorro Xicoténcatl
ay no me acuerdo, cuánto pagaban en Ferretería La 14? => lookup jobs *~Ferretería La 14
Buenos días, ¿sería tan amable de mostrarme los puestos de celador en Pontevedra? Muchas gracias => list jobs title~celador location~Pontevedra
oye qué chambas agregué la semana pasada? ando bien perdido => list jobs created_at@last_week
a ver, sin anestesia: en qué trabajos me rechazaron ayer?? => list jobs status=rejected status@yesterday
parce, muéstreme los contactos que tengo en Café Ñandú SAS, porfa => list contacts company~Café Ñandú SAS
rapidito que entro a clase: los 3 puestos más nuevos porfis => list jobs by created_at desc limit 3
subió el alquiler otra vez, así q pásame los empleos de más de 28 mil => list jobs salary_min>=28001
oye po, en cuántas pegas estoy en entrevistas ahora? gracias! => count jobs status=interviewing
disculpa la molestia, puedes listar las cartas de presentación que añadí este mes? => list documents kind=cover_letter created_at@this_month
jo qué cabeza, eché ya la solicitud en Ingeniería Vela&Mar o no? => lookup jobs *~Ingeniería Vela&Mar
hoy no puedo con mi vida, solo dime los trabajos remotos de traductora q tengo => list jobs remote_type=remote title~traductora
me lo pide la orientadora: cuántas empresas tengo en total? => count companies
ey gracias por lo de antes, enséñame las candidaturas que mandé en junio => list jobs status>=applied status@june
trabajos en Calatayud => list jobs location~Calatayud
puestos de carpintero en Oaxaca de Juárez => list jobs title~carpintero location~Oaxaca de Juárez
contactos en Urrutia & Gil => list contacts company~Urrutia & Gil
puestos en remoto más de 38k => list jobs remote_type=remote salary_min>=38001
teléfono Itziar de la Cuesta => lookup contacts *~Itziar de la Cuesta
candidaturas esta semana => list jobs status>=applied status@this_week
puestos híbridos Rosario => list jobs remote_type=hybrid location~Rosario
correo de Efraín Ñáñez => lookup contacts *~Efraín Ñáñez
todos los contactos => list contacts
puestos de la empresa Taller 88 => list jobs company~Taller 88
puestos con estado guardado => list jobs status=saved
puestos de enfermera mínimo 27.000 € => list jobs title~enfermera salary_min>=27000
¿A cuántos puestos me postulé el mes pasado? => count jobs status>=applied status@last_month
¿Para qué puestos estoy en fase de entrevistas? => list jobs status=interviewing
¿Cuándo me postulé a Bodegas Arriondo? => lookup jobs *~Bodegas Arriondo
Muéstrame los trabajos de soldador en Avilés. => list jobs title~soldador location~Avilés
¿Cuánto pagan en el puesto de Lumbre Estudio? => lookup jobs *~Lumbre Estudio
¿Qué contactos tengo en Cerámicas Peñalver? => list contacts company~Cerámicas Peñalver
¿Para qué empresa trabaja Nahuel Etcheverry? => lookup contacts *~Nahuel Etcheverry
¿De cuántos puestos he recibido una oferta este mes? => count jobs status>=offer status@this_month
¿Qué trabajos agregué la semana pasada? => list jobs created_at@last_week
Enséñame los cinco trabajos más recientes. => list jobs by created_at desc limit 5
¿Qué puestos de ingeniero en remoto pagan al menos 45.000 euros? => list jobs remote_type=remote title~ingeniero salary_min>=45000
¿Cuántos rechazos he recibido en total? => count jobs status=rejected
¿Dónde está el trabajo de la Residencia Los Olmos? => lookup jobs *~Residencia Los Olmos
¿Qué empresas añadí este mes? => list companies created_at@this_month
Lista los puestos presenciales en San Miguel de Tucumán, por favor. => list jobs remote_type=onsite location~San Miguel de Tucumán
holaa, me sacas los trabajos de ilustradora en remoto porfa => list jobs remote_type=remote title~ilustradora
estoy en la oficina del paro y me preguntan, cuántas candidaturas he enviado este mes?? => count jobs status>=applied status@this_month
a ver, cómo va lo del puesto en Náutica Berasategi? => lookup jobs *~Náutica Berasategi
necesito rapidito el celular de la señora Quispe Mamani, mil gracias => lookup contacts *~Quispe Mamani
oye cuántos contactos llevo ya metidos aquí => count contacts
después de 25 años de taxista toca cambiar jaja, enséñame los trabajos de jardinero en Cuenca => list jobs title~jardinero location~Cuenca
buenas, pásame los rechazos de marzo q estoy haciendo balance => list jobs status=rejected status@march
tal como está el alquiler muéstrame solo los puestos a partir de 30k, gracias => list jobs salary_min>=30000
quiénes eran mis contactos en Nube7 Sistemas? ando despistado => list contacts company~Nube7 Sistemas
mi mamá quiere saber, cuáles son las ofertas que acepté? => list jobs status=accepted
cuándo fue que apliqué a Panadería Don Eusebio? ya ni me acuerdo => lookup jobs *~Panadería Don Eusebio
venga, enséñame los 4 trabajos de electricista mejor pagados => list jobs title~electricista by salary_min desc limit 4
cafecito y a darle: los trabajos que añadí hoy porfi => list jobs created_at@today
ehh cuántos trabajos tengo en total aquí apuntados? => count jobs
buenas noches, me podría listar las cartas de presentación que agregué la semana pasada, muy amable => list documents kind=cover_letter created_at@last_week
dale, mostrame los puestos a los que me postulé ayer => list jobs status>=applied status@yesterday
vacantes soldador Monclova => list jobs title~soldador location~Monclova
rechazos de la semana pasada => list jobs status=rejected status@last_week
contactos de la empresa Hnos. Arizmendi => list contacts company~Hnos. Arizmendi
correo Itziar Goikoetxea-Ruiz => lookup contacts *~Itziar Goikoetxea-Ruiz
empleos remotos contador => list jobs remote_type=remote title~contador
trabajos de más de 28.000 € => list jobs salary_min>=28001
postulaciones de ayer => list jobs status>=applied status@yesterday
estado del puesto en Panadería La Espiga 22 => lookup jobs *~Panadería La Espiga 22
vacantes guardadas en Arequipa => list jobs status=saved location~Arequipa
contactos agregados este mes => list contacts created_at@this_month
puestos presenciales en Huelva => list jobs remote_type=onsite location~Huelva
teléfono Nahuel Quispe Mamani => lookup contacts *~Nahuel Quispe Mamani
empleos empresa Transportes del Ñandú => list jobs company~Transportes del Ñandú
¿Cuántos trabajos de enfermera tengo en Castellón? => count jobs title~enfermera location~Castellón
¿Cuándo me postulé a Lácteos Valdivieso? => lookup jobs *~Lácteos Valdivieso
¿A qué vacantes me postulé en mayo? => list jobs status>=applied status@may
¿Cuál es el correo electrónico de María de los Ángeles Ochoa? => lookup contacts *~María de los Ángeles Ochoa
¿En qué empresa trabaja Wilmer Chacón? => lookup contacts *~Wilmer Chacón
Muéstrame los puestos que añadí la semana pasada. => list jobs created_at@last_week
¿Qué contactos tengo en la empresa Grupo Tres-Ríos? => list contacts company~Grupo Tres-Ríos
¿Cuánto paga el puesto de Clínica Dental Barrantes? => lookup jobs *~Clínica Dental Barrantes
¿Qué trabajos guardados pagan al menos 1.200.000 pesos? => list jobs status=saved salary_min>=1200000
¿Qué puestos están en fase de entrevistas? => list jobs status=interviewing
¿Para cuántos puestos he recibido una oferta? => count jobs status>=offer
¿Dónde queda el trabajo de Maderas K-17? => lookup jobs *~Maderas K-17
¿Qué empleos he aceptado? => list jobs status=accepted
Enumera las cartas de presentación que añadí en diciembre. => list documents kind=cover_letter created_at@december
buenas, me pasas los curros de camarero en Benidorm porfa => list jobs title~camarero location~Benidorm
che, cuántas postulaciones mandé este mes? => count jobs status>=applied status@this_month
disculpa la molestia, cuál era el cel de Yesenia Tzuc Poot? => lookup contacts *~Yesenia Tzuc Poot
qué onda, enséñame las chambas en Querétaro que paguen mínimo 18 mil => list jobs location~Querétaro salary_min>=18000
hola po, en qué va la pega de bodeguero? => lookup jobs *~bodeguero
Buenos días, ¿sería tan amable de mostrarme mis contactos en Ferretería J&J? Mil gracias. => list contacts company~Ferretería J&J
uff cuántos rechazos me llegaron hoy jaja => count jobs status=rejected status@today
antes de que se me olvide: qué trabajos agregué hoy?? => list jobs created_at@today
perdona, que soy un desastre, ¿cuándo eché la solicitud en Talleres Etxeberri? => lookup jobs *~Talleres Etxeberri
parce, muéstreme pues los trabajos remotos de diseñadora, hágame el favor => list jobs remote_type=remote title~diseñadora
mi señora quiere saber cuáles son mis 4 empleos mejor pagados jeje => list jobs by salary_min desc limit 4
mirá, estoy poniendo orden acá, qué contactos cargué el mes pasado? => list contacts created_at@last_month
holaa porfi dime cuántas vacantes híbridas tengo en Guayaquil => count jobs remote_type=hybrid location~Guayaquil
en el SEPE me lo piden, ¿qué solicitudes envié en octubre? => list jobs status>=applied status@october
fíjese que no me acuerdo, ¿para quién trabaja don Rigoberto Xicará? => lookup contacts *~Rigoberto Xicará
bueno, con el corazón roto pero dale: mostrame los laburos donde me rechazaron en agosto => list jobs status=rejected status@august
ofertas de trabajo en Albacete => list jobs location~Albacete
empleos de soldador => list jobs title~soldador
contactos de Hermanos Zubiri & Cía => list contacts company~Hermanos Zubiri & Cía
número de candidaturas este mes => count jobs status>=applied status@this_month
puestos híbridos en Querétaro => list jobs remote_type=hybrid location~Querétaro
empleos desde 28.000 € => list jobs salary_min>=28000
los 5 empleos mejor pagados => list jobs by salary_min desc limit 5
correo de Iker Solozábal => lookup contacts *~Iker Solozábal
puestos de traductora en remoto => list jobs remote_type=remote title~traductora
número total de contactos => count contacts
sueldo del puesto en Piedralunga Textil => lookup jobs *~Piedralunga Textil
¿Cuántos rechazos recibí en enero? => count jobs status=rejected status@january
¿Cuándo me postulé en Clínica Dental Arrebol? => lookup jobs *~Clínica Dental Arrebol
¿En qué empresa trabaja Ximena de la Cuadra? => lookup contacts *~Ximena de la Cuadra
¿Qué empleos tengo guardados en Vigo? => list jobs status=saved location~Vigo
¿En qué puestos estoy en proceso de entrevistas? => list jobs status=interviewing
Muéstrame los puestos de enfermera en Rosario, por favor. => list jobs title~enfermera location~Rosario
¿A cuántos empleos me postulé ayer? => count jobs status>=applied status@yesterday
¿Cuáles son los tres últimos empleos que he añadido? => list jobs by created_at desc limit 3
¿A quién conozco en Logística Peñalver 360? => list contacts company~Logística Peñalver 360
¿Qué empleos pagan más de 35.000 euros? => list jobs salary_min>=35001
¿Dónde es el puesto de apicultor? => lookup jobs *~apicultor
¿Cuántas cartas de presentación añadí el mes pasado? => count documents kind=cover_letter created_at@last_month
¿En qué puestos me han hecho ya una oferta? => list jobs status>=offer
¿Cuál es el correo electrónico de Nuria Carballo-Pons? => lookup contacts *~Nuria Carballo-Pons
Enséñame los puestos presenciales de camarero en Gijón. => list jobs remote_type=onsite title~camarero location~Gijón
¿De qué candidaturas me retiré esta semana? => list jobs status=withdrawn status@this_week
holaa me enseñas los trabajos en Cuenca porfa => list jobs location~Cuenca
oye cuantas candidaturas mandé la semana pasada? es que me lo piden en el paro => count jobs status>=applied status@last_week
se me ha ido una llamada, cuál era el móvil de Remedios Ugarte? => lookup contacts *~Remedios Ugarte
venga va, dime cuántos rechazos llevo en total jaja => count jobs status=rejected
y cómo va lo de Ferrer & Oyarzún?? llevo siglos esperando => lookup jobs *~Ferrer & Oyarzún
porfa sácame los puestos de electricista de al menos 24 mil, mil gracias => list jobs title~electricista salary_min>=24000
voy en el bus, pásame los contactos que tengo en Almazara Sur => list contacts company~Almazara Sur
Buenos días, ¿me podría mostrar los empleos que agregué la semana pasada? Gracias => list jobs created_at@last_week
perdón que moleste otra vez, cuántos puestos de veterinaria tengo apuntados? => count jobs title~veterinaria
mi mujer pregunta cuánto pagaban en Bodegas Entrepeñas, me lo dices? => lookup jobs *~Bodegas Entrepeñas
estoy harta de manejar, muéstrame nomás los empleos 100% remotos => list jobs remote_type=remote
a ver con el cafecito en la mano, a qué puestos me he postulado en Mérida? => list jobs status>=applied location~Mérida
uy se me olvidó, cuándo eché la solicitud en Panadería Lucero? => lookup jobs *~Panadería Lucero
che, cuántos contactos agregué este mes? conocí a un montón de gente => count contacts created_at@this_month
ando medio perdido, me listas todas las cartas de presentación pls => list documents kind=cover_letter
para animarme un poco, enséñame los puestos que he aceptado 😊 => list jobs status=accepted
puestos remotos de soldadora => list jobs remote_type=remote title~soldadora
trabajos híbridos en Zacatecas => list jobs remote_type=hybrid location~Zacatecas
contactos en Iriarte & Peña => list contacts company~Iriarte & Peña
puestos guardados en Sant Feliu de Guíxols => list jobs status=saved location~Sant Feliu de Guíxols
teléfono de Itziar Goikoetxea-Ruiz => lookup contacts *~Itziar Goikoetxea-Ruiz
vacantes añadidas ayer => list jobs created_at@yesterday
puestos en Molinos 1920 => list jobs company~Molinos 1920
empleos de más de 30.000 euros => list jobs salary_min>=30001
candidaturas enviadas en octubre => list jobs status>=applied status@october
correo de Nahuel del Campo => lookup contacts *~Nahuel del Campo
vacantes presenciales de matrona en Tudela => list jobs remote_type=onsite title~matrona location~Tudela
todas mis empresas => list companies
¿Qué vacantes remotas pagan al menos 28.000 euros? => list jobs remote_type=remote salary_min>=28000
¿Cuándo me postulé en Conservas Albariza? => lookup jobs *~Conservas Albariza
¿Cuál es el correo electrónico de Ximena Paredes Ñúñez? => lookup contacts *~Ximena Paredes Ñúñez
¿Quiénes son mis contactos en Grupo Tábano? => list contacts company~Grupo Tábano
¿Para qué empresa trabaja Eneko Larrañaga? => lookup contacts *~Eneko Larrañaga
¿Cómo va mi candidatura en Luz y Sombra S.L.? => lookup jobs *~Luz y Sombra S.L.
Muéstrame los puestos en los que estoy en proceso de entrevistas. => list jobs status=interviewing
¿Qué empleos he añadido hoy? => list jobs created_at@today
¿Cuánto paga el puesto de Pixel-Norte? => lookup jobs *~Pixel-Norte
¿Cuántas cartas de presentación he añadido este mes? => count documents kind=cover_letter created_at@this_month
Enséñame los puestos híbridos de topógrafo. => list jobs remote_type=hybrid title~topógrafo
¿Cuántos contactos tengo en Barraca & Hijos? => count contacts company~Barraca & Hijos
buenas, me sacas los trabajos que hay en Villajoyosa en mi lista porfa => list jobs location~Villajoyosa
perdona que te moleste otra vez, cuál era el número de Aitana Sepúlveda? => lookup contacts *~Aitana Sepúlveda
mi madre no para de preguntar jaja, a cuántos trabajos me he apuntado esta semana? => count jobs status>=applied status@this_week
venga va, enséñame los rechazos de la semana pasada => list jobs status=rejected status@last_week
por pura curiosidad, cuántos documentos tengo aquí metidos? => count documents
oye q estoy al tel con ellos, dónde era el puesto de Trébol 5? => lookup jobs *~Trébol 5
me subieron la renta así que muéstrame las vacantes que pagan mínimo 25000 gracias => list jobs salary_min>=25000
¡Hola! ¿A qué puestos me postulé ayer? Es para mi orientadora, mil gracias => list jobs status>=applied status@yesterday
pásame la lista de mis contactos xfa => list contacts
a ver, en qué quedó mi postulación a Huerta Clara? => lookup jobs *~Huerta Clara
si no es mucha molestia, muéstrame los puestos de ebanista que tengo guardados => list jobs status=saved title~ebanista
oye y cuántas empresas tengo ya en el seguimiento? => count companies
holaa, puestos en remoto de la empresa Nimbo & Cía por favor => list jobs remote_type=remote company~Nimbo & Cía
buenos días, quisiera ver los contactos que agregué esta semana, muchas gracias => list contacts created_at@this_week
ya con el cafecito en mano, muéstrame los cinco puestos más nuevos => list jobs by created_at desc limit 5
ay se me olvidó, cuántas cartas de presentación tengo en total?? => count documents kind=cover_letter
empleos en Torrelavega => list jobs location~Torrelavega
trabajos remotos de contadora => list jobs remote_type=remote title~contadora
contactos en Ferretería Hnos. Quiroga => list contacts company~Ferretería Hnos. Quiroga
cantidad de contactos => count contacts
teléfono de Yaretzi Montoya => lookup contacts *~Yaretzi Montoya
vacantes agregadas ayer => list jobs created_at@yesterday
estado del puesto en Clínica Ñandú => lookup jobs *~Clínica Ñandú
puestos de soldador Antofagasta => list jobs title~soldador location~Antofagasta
correo de Iñaki Etxeberria-Ruiz => lookup contacts *~Iñaki Etxeberria-Ruiz
trabajos guardados en Cuenca => list jobs status=saved location~Cuenca
puestos en fase de entrevistas => list jobs status=interviewing
postulaciones enviadas en agosto => list jobs status>=applied status@august
¿A cuántos empleos me he postulado este mes? => count jobs status>=applied status@this_month
¿Cuándo apliqué a Panadería La Espiga 1952? => lookup jobs *~Panadería La Espiga 1952
Muéstrame los puestos de enfermera en Barranquilla. => list jobs title~enfermera location~Barranquilla
¿Qué contactos tengo en Grúas & Montajes del Sur? => list contacts company~Grúas & Montajes del Sur
¿Para qué empresa trabaja Wilfredo Choquehuanca? => lookup contacts *~Wilfredo Choquehuanca
¿Cuánto pagan en el puesto de carpintero? => lookup jobs *~carpintero
¿Qué trabajos pagan más de 30.000 euros? => list jobs salary_min>=30001
¿Cuántas ofertas de contratación recibí en noviembre? => count jobs status>=offer status@november
¿De qué puestos retiré mi candidatura este mes? => list jobs status=withdrawn status@this_month
¿Qué empresas añadí la semana pasada? => list companies created_at@last_week
¿Dónde está el trabajo de Textiles O'Higgins? => lookup jobs *~Textiles O'Higgins
¿Cuáles son los cinco puestos más nuevos en Rosario? => list jobs location~Rosario by created_at desc limit 5
¿Cuántos documentos he añadido hoy? => count documents created_at@today
¿Cuántos puestos de camarero tengo en Benidorm? => count jobs title~camarero location~Benidorm
¿En qué empleos me rechazaron en julio? => list jobs status=rejected status@july
Enséñame los puestos presenciales con un sueldo de al menos 28.000 euros. => list jobs remote_type=onsite salary_min>=28000
holaa, me pasas el cel de Don Eusebio Patiño porfa? => lookup contacts *~Eusebio Patiño
che, a cuántos laburos me postulé la semana pasada? => count jobs status>=applied status@last_week
oye y en qué quedó el trabajo de Plásticos Herrera-Luna? ya ni me acuerdo => lookup jobs *~Plásticos Herrera-Luna
buenas tardes, disculpe la molestia, me puede mostrar mis contactos en Hotel Mar de Cobo? gracias => list contacts company~Hotel Mar de Cobo
tío no me acuerdo, cuándo me apunté al puesto de mozo de almacén? => lookup jobs *~mozo de almacén
mi mamá pregunta q cuántos trabajos tengo guardados nomás jaja => count jobs status=saved
a ver, échame los trabajos remotos de más de 20 mil => list jobs remote_type=remote salary_min>=20001
necesito para el SEPE los puestos a los que me apunté ayer, me los sacas? => list jobs status>=applied status@yesterday
ando bajoneado, cuántos rechazos llevo este mes? => count jobs status=rejected status@this_month
parce, muéstreme pues los puestos en Itagüí => list jobs location~Itagüí
porfa las cartas de presentación q agregué esta semana, las quiero imprimir => list documents kind=cover_letter created_at@this_week
bueno dime los 4 trabajos mejor pagados de electricista, a ver si me animo => list jobs title~electricista by salary_min desc limit 4
se me borró del celular el correo de la licenciada Xóchitl Barragán, cuál es? => lookup contacts *~Xóchitl Barragán
hola! una consulta, cuántos contactos tengo en Avícola Don Tito 2? => count contacts company~Avícola Don Tito 2
oye po, cuántas empresas tengo anotadas ya? => count companies
venga, rapidito, que salgo: qué puestos he aceptado? => list jobs status=accepted
empleos en Albacete => list jobs location~Albacete
rechazos esta semana => list jobs status=rejected status@this_week
teléfono Íñigo Larrazábal => lookup contacts *~Íñigo Larrazábal
puestos híbridos Zaragoza => list jobs remote_type=hybrid location~Zaragoza
trabajos mínimo 24.000 € => list jobs salary_min>=24000
empleos soldador Gijón => list jobs title~soldador location~Gijón
vacantes de la empresa Grupo 5 Esquinas => list jobs company~Grupo 5 Esquinas
candidaturas enviadas en enero => list jobs status>=applied status@january
empleos presenciales Valparaíso => list jobs remote_type=onsite location~Valparaíso
4 puestos mejor pagados => list jobs by salary_min desc limit 4
¿Cuándo solicité el puesto en la Panadería Lozoya? => lookup jobs *~Panadería Lozoya
¿Cuál es el correo de María de los Ángeles Quispe? => lookup contacts *~María de los Ángeles Quispe
¿En qué empresa trabaja Gorka Etxaniz? => lookup contacts *~Gorka Etxaniz
Muéstrame los puestos de enfermera en Cuenca. => list jobs title~enfermera location~Cuenca
¿Cuántos contactos tengo en Seguros Alborada? => count contacts company~Seguros Alborada
¿Cuánto paga el puesto en la Clínica Sanz-Peña? => lookup jobs *~Clínica Sanz-Peña
Enséñame los trabajos que pagan más de 30.000 euros. => list jobs salary_min>=30001
¿Qué trabajos he aceptado? => list jobs status=accepted
¿En qué ciudad está el puesto de Cartonajes Bermúdez? => lookup jobs *~Cartonajes Bermúdez
¿Cuántas ofertas he recibido de momento? => count jobs status>=offer
Haz una lista de los trabajos remotos de traductora que añadí este mes. => list jobs remote_type=remote title~traductora created_at@this_month
holaa me sacas los curros de camarero en cádiz porfa => list jobs title~camarero location~cádiz
Buenas tardes, ¿sería tan amable de darme el teléfono de don Eusebio Manrique? Muchas gracias. => lookup contacts *~Eusebio Manrique
jajaja cuántos rechazos llevo este mes => count jobs status=rejected status@this_month
oye cuándo me postulé a Nubosidad 360? no me acuerdo => lookup jobs *~Nubosidad 360
mi vieja me pregunta todo el día, a cuántos laburos me postulé este mes? => count jobs status>=applied status@this_month
che pasame los trabajos remotos de más de 50k => list jobs remote_type=remote salary_min>=50001
q tal, cuál es el mail de Xiomara Peñaloza => lookup contacts *~Xiomara Peñaloza
Con la espalda como la tengo, enséñeme solo los empleos de teletrabajo, por favor. => list jobs remote_type=remote
a ver, qué puestos he añadido hoy => list jobs created_at@today
en qué quedó el puesto de Hermanos Iturbe & Cía? => lookup jobs *~Hermanos Iturbe & Cía
wey qué chambas de chofer tengo en Puebla => list jobs title~chofer location~Puebla
Me lo piden en el SEPE: ¿a qué empleos me presenté el mes pasado? => list jobs status>=applied status@last_month
porfi los contactos que tengo en Viveros La Ñora, q voy para allá => list contacts company~Viveros La Ñora
ponme los 3 trabajos mejor pagados de Vigo anda => list jobs location~Vigo by salary_min desc limit 3
estoy hecha un lío, ¿de qué trabajos he recibido ya una oferta? => list jobs status>=offer
perdona la lata, cuántos contactos tengo en total? => count contacts
"""

MODEL = """
should i take the lower paid job if its closer to home
Add a plumber job at Brindle & Hoy in Truro.
delete all the rejections from last month
I applied to Kettlewick 24 this morning.
How many jobs did my sister apply to last week?
which of my jobs would look good to a mortgage lender
Show me all the jobs except the remote ones.
jobs with a company car
Which one pays better, 7Larks or Thornbury Freight?
List the jobs in Hull and give me Tamsin's phone number.
what did i ask you just now
Write a cover letter for the welder job.
hi
ugh another rejection, feeling rubbish today
what's the average salary for a beekeeper in Scotland
Do I need a visa to work in Norway?
mark the Quillfeather job as withdrawn
Change Nnamdi's email to nnamdi@rookanddaughters.example
no not that one, the other
I've got an interview at Saltmarsh Veterinary next Tuesday at ten.
who won the boat race last year
jobs I haven't applied to because the commute is too long
Which jobs have free parking?
What should I say when they ask about my salary expectations?
how many loan applications have I sent off
how many people usually apply for a job like that one
ok thanks, that's all
Why do you think Zephyr 9 Labs turned me down?
call Marguerite Tolliver for me
what can you actually do
Show the companies that still haven't written back.
just heard from de Groot-Ellery, they're offering me the job
how many applications does the average person send before getting hired
jobs in Leeds that aren't hybrid
What's the difference between hybrid and remote anyway?
Email Ifeoma Lund and ask when they're deciding.
same again but for Dundee
is 45k enough to live on in Bath
move the three best paid jobs to applied
how many visa applications were rejected in the UK in May
Which of my contacts would be the best reference?
jobs with nice people and no weekend shifts
make that letter a bit shorter pls
My brother got a job at Pike & 3 Sons yesterday.
Count the jobs I applied to and write a thank-you note to Adaeze.
remind me to ring Rook & Daughters on Friday
Should I tell them about my bad back before or after the interview?
Good morning, and how are you today?
Could you please add a job at Marlpit Farm Shop, my niece says they're looking for someone?
I had a lovely phone call with Fenwright & Daughters today.
My son has applied to eleven places already, how many do you think he'll hear back from?
Can I get a mortgage while I'm still on probation?
Show me all jobs except the ones in Croydon.
Which jobs have a canteen on site?
Is the Tolland job better than the one at Pikehill 9?
How many jobs have I applied to, and what's Oona Maddigan's phone number?
What did I ask you a minute ago?
Delete the job at Bexley Steam Laundry please, I've gone right off it.
i've just been rejected by Osprey Cabs, gutted tbh
What's the average salary of a stonemason in Wales?
Would you write me a nice cover letter for the library assistant job in Ludlow?
Do I need a visa to work in Norway for three months?
Thank you, you've been a great help, love.
Which of those is closest to the sea?
How do I explain a twelve year gap looking after my parents?
Mark the Crowle Brickworks job as rejected please, they rang this morning.
My interview with Lidstone-Baye is on Thursday at half past two.
Which jobs would let me bring my dog?
Please change Harriet Nwosu's phone number to 01632 960 114.
Sorry, I meant the other one.
Is it rude to ring them a week after applying?
My husband's been offered two jobs, which one should he take?
List every company but leave out the agencies.
What is a zero hours contract exactly?
hey can you move the Plumtree 22 job to interviewing, they just emailed me!!
Which of my jobs pays more, the baker or the barista?
How many cover letters should a person send in a week?
I'm ever so nervous, I haven't had an interview since 1994.
Why did you show me that one first?
Show me the saved jobs and then delete the oldest.
Tell me a joke, it's been a long day.
What questions might they ask me at a care home interview?
I'm thinking of applying to Goosnargh Dairy tomorrow.
Can I afford a car loan on 24k a year?
Which jobs have a decent pension?
Please send Mr Abernathy-Cole an email to say I'm running late.
How many jobs has my friend Denise applied to this month?
Put the cover letter into a warmer tone, would you, it reads rather stiff.
And how many of those were in Leeds?
Which companies have good reviews from their staff?
What's the difference between a contractor and an employee?
Do you think forty rejections is a lot?
Compare the two offers for me, please, my wife and I can't decide.
lol my cat just walked over the keyboard, ignore that
Please withdraw my application to Sallow Lane Nursery, the commute is just too long for me.
Should I take a lower salary if the commute is only ten minutes?
How do I explain a two-year gap without sounding defensive?
hey, how's your day going?
Add a job as a crane operator at Dunmore Plant Hire in Sligo
Please mark the Lumen+Vale job as rejected
delete every contact at Tregarthen Shipping
Write a cover letter for the midwife job in Inverness
change Oona's number to 07700 900142
I had my second interview at Northmoor yesterday and it went really well
I've got a call with the head of maintenance on Thursday at 2
Just applied to the bakery on Mill Lane, fingers crossed
what about the ones in Hull?
show me more of those
Is that one remote too?
How many people apply for a nursing job in Leeds on average?
When did my sister apply to the council?
Has Deirdre had any luck with her own applications?
where can I find my student loan application
How do I apply for a mortgage while between jobs?
How long does a skilled worker visa take to come through?
What's the average pay for an electrician in Perth?
What does a quantity surveyor actually do all day?
Who is the chief executive of Brightwater Joinery?
show all jobs except the ones in Grimsby
which jobs am I not interviewing for
Every job but the remote ones, please
jobs with free parking
show me the jobs that don't need a driving licence
Which of my jobs offer a pension and a four-day week?
night shift jobs in Swansea
How many of my jobs are within 20 miles of Truro?
Which pays better, Harlow & Finch or 7Oaks Veterinary?
Compare the two hybrid jobs in Christchurch
Do I get more replies from hospitals or from universities?
List my jobs in Cardiff and give me the phone number of Tobias
How many contacts do I have, and draft a thank-you note to the newest one
What did I just ask you?
why did you answer in Welsh earlier?
What was the first thing you showed me today?
which of my jobs should I chase up first
How many jobs should I be applying to each week?
what should I say when I ring Priyanka Deshmukh-Hale?
Remind me to e-mail Saint-Cyr Dental next Monday
what jobs are there in Dundee for someone who hates computers?
Which of these companies has the nicest people?
Look on the internet for new payroll jobs in Norwich
should I take a lower wage if the commute is only ten minutes?
add a roofing job at Calloway Slate in Bangor, 31k
I had my second interview at Larkrise Hospice this morning and it went alright
which of my jobs have free parking?
does Dunmore Joinery pay more than Ox & Anvil 1884?
how many rejections do I have and can you write me a reply to the last one
will being out of work affect my mortgage application?
how does a skilled worker visa work for nurses?
good morning, hope you slept well haha
change the Mossgate job to interviewing
delete all the contacts from Brackley & Thorne
write a cover letter for the nursery post in Hull
what's the average salary for a plasterer in the Midlands?
I'm 57 and terrified nobody will hire me
I'm going to ring Gwen on Thursday about the warehouse role
mark the jobs in Inverness as withdrawn please
which jobs would suit someone with a bad back?
jobs where the boss seems nice
Quillfeather Studios just emailed me a rejection
is Vantage9 Robotics a good place to work?
show me the remote jobs, and also the phone number of Tomasz Wieczorek
everything but the hybrid ones
why did you show me only three?
my student loan application got turned down, what now?
do I apply to too many jobs at once?
sort them by pay instead
how do I explain a six year gap looking after my dad?
who is the chief executive of Haversham-Lyle?
did more companies reject me this month than last month?
I applied to Hartwell Ceramics yesterday, can you put that in
rename the company Pell Street Nursery to Pell Street Early Years
what questions do they usually ask in a welding test?
send an email to Siobhán and say thanks for the chat
jobs that ask for a driving licence
her number is 07700 900341 by the way
how many people apply for a typical teaching job?
can you translate that into Polish?
tell me a joke, I need it after today
which application do you think has the best chance?
how many jobs are there in Sheffield for electricians these days?
Got an offer from Nettlefold!!! starting in May
not the ones I withdrew from, the others
show my saved jobs and apply to the best two
can I be a carer without any qualifications?
remind me on Monday to chase the hospice
Do you think I'm aiming too high with the site manager jobs?
Add a job at Penhallow Joinery, bench hand, Truro, 27k.
Which jobs in Leeds have a decent staff canteen?
show me all the jobs except the ones in Croydon
How do I answer when they ask about my gap year?
I've got a second interview with Marlowe Tyres on Thursday at 2!
thanks a million, you've been brilliant
mark the Oxley Foods one as rejected please
How many jobs did my brother apply to last month?
Which pays better after tax, Dunmore Dairy or Castle Feeds?
What's the minimum wage in Ontario now?
list my saved jobs and draft an email to Joanne Tickle
Delete every contact I have at Brierley Pumps.
do I need a work visa for the job in Auckland
Which of my jobs are within walking distance of a train station?
what did you just tell me about Hexham?
Write me a cover letter for the dog groomer job at Paws & Co.
rejected again. honestly feel like giving up
Who at Fenwick-Osei should I ring first?
same but for Bristol
Change Kwabena Asante's phone number to 0244 555 018.
How long do recruiters usually take to get back to you?
remote jobs but not in sales
Is 38k a fair salary for a scaffolder in Perth?
when does my car loan application get approved
Which contacts haven't I called back yet?
how many companies are there in Ireland
show me jobs with no weekend work
My friend Tunde heard back from Zenrock Cement today, he got an offer.
Tell me how many rejections I got and what my contacts at Ballymore Glass are called
hey, how's it going?
Move all my saved jobs in Durban to withdrawn
what does a quantity surveyor actually do all day
I'm going to apply to Little Acorns Nursery tomorrow morning.
why did I get more rejections in March than in April?
not those, the older ones
Which job would suit someone with a bad back?
Can you make that shorter and a bit friendlier?
List the jobs where the boss sounded nice on the phone.
should I take the offer from Greystone Haulage or hold out
jobs in Cardiff that offer visa sponsorship
How many people applied for the receptionist job at Lakeside Vets?
Just spoke to Meera Balasubramaniam, she's left Indus Textiles.
what else can you do besides listing jobs?
remind me on Friday to chase up Coombe Valley Farms
Did I tell you about the night shift thing already?
status of my mortgage application with Harbour Bank
Undo that, I meant the other Sandra.
should I take the job at Pell & Wray or hold out a bit longer?
add a job: night porter at the Gullwing Hotel, Whitby, 24k
how many people usually apply for a paralegal post in Norwich
my sister got three rejections this week, she's in bits
which of my jobs offer free parking?
I applied to Fennimore Dental Group this morning
delete the Kestrelfold job please
write me a cover letter for the falconer job
is 45k decent for a welder in the north east?
change Tomasz Wieczorek's phone number to 07700 900412
how many jobs did I apply to last week and what's Siobhan's email?
do I need a visa to work on-site in Rotterdam
compare the offers from Ashgrove-Tully and Lorne & Quill
got an interview at 3Rivers Haulage on Thursday at 2
thanks, you've been a star today
how do I explain an eighteen month gap to an interviewer?
what would my mortgage be on 38k a year
jobs where the manager seemed nice
mark the Mossvale 7 job as rejected, they emailed just now
why do I keep getting turned down?
which of these is closest to my house?
how many applications did my flatmate send?
when should I chase a company that's gone quiet
tell me a joke about accountants
and which of those are remote?
list contacts at Zephyr & Daughters, then draft an email to each of them
do I get more replies from remote jobs than on-site ones?
remind me tomorrow to ring Odalys Brightwater
what does a phlebotomist actually do all day?
show me jobs that aren't remote
jobs with a four day week
can you make that shorter and less grovelling
no, the other one
what's the capital of Estonia
I'm thinking of withdrawing from the Corby electrician thing
move everything I saved last week to withdrawn
did the application for my student loan go through?
are any of the companies on my list unionised?
how many jobs are there in Harrogate for teachers these days
practise interview questions with me for a midwife role
feeling pretty low about all this tbh
save Priya Castellane from Tarnfield Optics as a contact, priya@tarnfield.example
which of my cover letters is the best written?
translate my letter for the Gullwing Hotel into Welsh
what can you do?
how many hours did I spend on applications this month
when did my brother apply for his visa?
what's the phone number of the woman who interviewed my flatmate at Brindle & Oake?
show me all the remote jobs except the ones in Hull
and how many of those are hybrid?
list my rejected jobs and then get rid of them
how many jobs do people usually apply to before they get an offer?
If Marlow & Finch turns me down, which jobs should I go for next?
I applied to three welder jobs in Leeds yesterday
show me the jobs with a decent pension
what about the second one?
When should I apply to Thistledown Analytics?
how many jobs could I apply to this week if I stopped working weekends?
my friend who applied to Larkrise 21 last month still hasn't heard back, is that normal?
Which job pays more, the one at Nordvik-Hale or the one at Ostler & Daughters?
how many contacts do I have and what's the newest job?
put Gwendolyn Achterberg's email down as g.achterberg@quill.example
mark all the jobs in Truro as rejected
which cover letter did you just show me?
what did I ask you about Fenwick Dale earlier?
need a new cover letter for the paramedic job in Ely
Do paramedics in Cornwall earn at least 40k?
jobs I'd be good at
the jobs where they wanted a driving licence
Once I hear from Zephyr9 I'll apply to the saved jobs in Ripon.
how many applications does a UK employer get per vacancy?
Let's say I withdrew from every job in Leeds, how many would I have left?
how do I list remote jobs without sounding picky on LinkedIn?
Priya called, she's leaving Brindle & Oake
what's the status of my mortgage application?
when did I apply for my visa?
show me jobs my wife has saved
Which of my contacts would be the best one to ring first?
no, I meant the other Tomasz
how many jobs were lost in Stoke-on-Trent last year?
email Dafydd ap Rhys and ask where my application stands
list the jobs that don't pay enough to live on
remote jobs are so much better than hybrid ones, aren't they
is the offer from Pemberly-Stokes any good?
show me the jobs closest to a train station
What does a bookbinder earn in Scotland?
add a remote glazier job at 4Corners Freight in Whitby
same again but for Kirkcaldy
why did I get so many rejections last month?
Before you show me the saved jobs, change the one at Zephyr9 to applied.
when am I likely to hear back from Larkrise 21?
who do I need to know at Nordvik-Hale to get in?
The recruiter asked how many jobs I've applied to this month, what do I tell her?
jobs in Hebden Bridge are like gold dust
how many companies did the guy from my course send his cover letter to?
Had I taken the Ostler & Daughters job, what would I be on now?
Should I take the job at Pellworth Bakery or hold out for something better?
add a new job: night porter at the Grand Tarrant, Hove
How do I explain a two year gap without sounding defensive?
mark the Oduya Freight job as rejected please
My sister applied to nine jobs last week, how do I catch up with her?
show me all jobs except the ones in Leicester
which of my jobs have free parking
Is the Larkspur Dental job better paid than the one at Brindle & Sons?
How many jobs did I apply to this week, and can you write to Tamsin about the interview?
thanks mate, you're a lifesaver
I've got an interview with 4Tide Marine on Thursday at half nine
What's the average wage for a plasterer in Cardiff?
delete every contact from Ashgrove
Write me a cover letter for the teaching assistant job
how long does a skilled worker visa take to come through
They rang me this morning and said the role's been put on hold.
What about the ones in Wigan?
jobs where the boss isn't a nightmare lol
Why do you reckon I keep getting rejected?
which jobs are within half an hour of my house by bus
How many people usually apply for a warehouse job?
change the salary on the Quillfeather job to 31k
did you actually save what I told you earlier?
who was the first female crane operator in Britain
Remind me to call Priyanka on Monday
I'm so tired of all this
which jobs not in London and not remote have I got
What should I wear to an interview at a funeral director's?
my son got turned down for two apprenticeships, what can I tell him
do I have more jobs in Perth or in Fremantle?
Draft a polite email to Mike Kowalczyk asking if there's any news
Will my student loan repayments go up if I earn over 30k?
which jobs let you bring your dog
I withdrew from the nursery job yesterday, can you update it
Show me the ones you listed before but only the good ones
How many jobs has my flatmate applied to?
is 26k liveable in Brighton with a toddler
What's Dolores's email, and also which jobs have I got saved in Derby?
when do nurses get paid in the NHS
I'm starting at Van der Hoek on the 3rd, wish me luck!
Which contacts are most likely to reply to me?
no, not that one, the other one
put Ngozi's new number in: 07700 900417
Are remote jobs worse for getting promoted?
jobs with four day weeks and no weekend shifts
Could you list the questions they normally ask a bus driver?
should I take the job at Pym & Lacey or hold out for something better?
Add a job: night porter at the Calloway Arms in Whitby, 24k
I had my interview at Marrowbone Dental today and it went brilliantly
delete all the jobs in Dundee
write me a cover letter for the florist job at Petal Street
show me all the jobs except the ones in London
which of my jobs come with a company car?
what's the average salary for a welder in Wales
does the job at Quill & Thistle pay more than the one at Grimshaw Tiles?
list my jobs in Truro and then mark the oldest one as rejected
can I get a mortgage while I'm on probation in a new job?
I've applied to Skelmore Foods this morning, second try with them
how do i stop shaking before an interview omg
change Dev Okonkwo's phone number to 07700 900 431
my daughter got rejected from every uni she applied to
what documents do I need for a skilled worker visa?
Please remove Oona McBrannigan from my contacts.
remote jobs that aren't in customer service
why do you think I keep getting turned down?
how many jobs are within a 20 minute walk of my house
I'm seeing the people from Larkfield Logistics on Thursday at half ten
draft an email to Winifred Achterberg thanking her for her time
how many contacts do I have, and which of them should I ring first?
ok and what does that one pay
which is closer to me, the job in Corby or the one in Kettering?
what does hybrid actually mean in a contract?
got an offer from BlueHeron 24!!!
move the barista job to interviewing pls
what should I wear to an interview at a funeral director's?
companies on my list that offer a four-day week
who founded Larkfield Logistics?
is 31k any good for a physio with six years' experience?
can you forget what I said earlier about moving to Galway
thanks, that's all for today
which jobs did my husband get offers for
everyone I know at Nkemelu & Daughters apart from Chidi
did I get more rejections this month than last month?
the applications my flatmate sent out, how many was it
put Hettie Brandreth down as a contact, she runs the yard at Osier Boats
I rang the agency twice and nobody's picking up, what now
how many loan applications have been turned down this year in the UK?
withdraw me from the Studio 9 Ceramics one please
jobs that let me bring my dog to work
no, I meant the other cover letter
translate my cover letter for the bakery into Welsh
soll ich lieber den job in kassel nehmen oder warten
Trag bitte eine Stelle als Dachdecker bei Hüttl & Söhne ein.
lösch alle absagen vom letzten monat
Hab mich eben bei Optik Lindenblatt beworben.
Zeig mir alle Jobs außer denen in Bremerhaven.
jobs mit dienstwagen
Wer zahlt mehr, Nordkorn Logistik oder Ruhrblech 1904?
Zeig die Jobs in Görlitz und gib mir die Nummer von Cemile.
was hab ich dich grad gefragt
Schreib ein Anschreiben für die Stelle als Buchhalterin.
moin
boah schon wieder ne absage, ich hab keinen bock mehr
Brauche ich für die Schweiz eine Arbeitserlaubnis?
setz den job bei pixelkamm 3 auf abgelehnt
Die neue Nummer von Jörg Unterweger ist 0151 2345678.
ne nicht den, den anderen
Nächsten Donnerstag habe ich ein Gespräch bei der Molkerei Tannhof.
wie wird das wetter morgen in regensburg
Welche Jobs haben eine Kantine?
Was sage ich, wenn sie nach meinem Wunschgehalt fragen?
Habe ich mich diesen Monat öfter beworben als letzten?
wie viele kreditanträge hab ich gestellt
Wie viele Leute bewerben sich normalerweise auf so eine Stelle?
passt, danke, das wars
Warum haben die mich bei Backhaus Tietje wohl nicht genommen?
ruf dilara kösters mal für mich an
was kannst du eigentlich alles
Welche Firmen haben sich noch nicht zurückgemeldet?
grad anruf von tropfstein & co, die wollen mich haben
Wie viele Bewerbungen braucht man im Schnitt bis zur Zusage?
stellen in wuppertal aber ohne die hybriden
erzähl mal nen witz über personaler
Schick Frau von der Aue eine Mail und frag, wann sie sich entscheiden.
das gleiche nochmal für kassel
reichen 48.000 brutto für ne wohnung in münchen
Ändere bei den drei bestbezahlten Jobs den Status auf beworben.
Wie viele Asylanträge wurden im März abgelehnt?
Wer von meinen Kontakten wäre eine gute Referenz?
jobs mit netten kollegen und ohne schicht
mach das anschreiben kürzer
rückgängig bitte
Meine Cousine fängt nächsten Monat bei Kranz-Öztürk an.
Zähl meine Bewerbungen und schreib Herrn Szymaniak ein kurzes Dankeschön.
erinner mich freitag dran bei stahl-yıldız anzurufen
wohnungsbewerbungen in leipzig, wie macht man das
Leg einen neuen Kontakt an: Petra Holl, Zur Mühlen & Partner.
Soll ich im Vorstellungsgespräch erwähnen, dass ich drei Kinder habe?
Guten Morgen, na, gut geschlafen?
Trag bitte eine Stelle bei Gärtnerei Wübbena in Leer ein, Küchenhilfe oder so ähnlich.
Heute hat mich die Frau von Kessler & Blum angerufen, war sehr nett.
Mein Sohn hat sich jetzt auf zwanzig Ausbildungsplätze beworben, ist das viel?
Bekomme ich in der Probezeit überhaupt einen Kredit von der Bank?
Zeig mir alle Stellen außer denen in Chemnitz.
Welche Stellen haben eine Betriebskita?
Ist die Stelle bei Hagedorn 3D besser als die in Passau?
Wie viele Absagen habe ich, und wie ist die Mailadresse von Frau Terhorst?
Lösch bitte die Stelle bei Wäscherei Pingel, das ist nichts mehr für mich.
grad kam die absage von der stadtbücherei, bin echt traurig
Was verdient ein Dachdeckermeister in Sachsen im Schnitt?
Schreib mir bitte ein freundliches Anschreiben für die Stelle als Schulsekretärin.
Brauche ich als Schweizer eine Arbeitserlaubnis in Österreich?
Lieben Dank, du bist wirklich eine große Hilfe!
Welche davon ist am nächsten am Bahnhof?
Wie erkläre ich eine Lücke von acht Jahren, in denen ich meine Mutter gepflegt habe?
Setz die Stelle bei Ziegelwerk Rohde bitte auf abgelehnt.
Am Donnerstag um halb drei hab ich mein Gespräch bei Dörnemann-Li.
Bei welchen Stellen darf ich meinen Hund mitbringen?
Ändere bitte die Telefonnummer von Gunnar Tiedemann auf 04921 55 31 07.
Nein, ich meinte doch die andere.
Gehört es sich, nach einer Woche mal nachzufragen?
Mein Mann hat zwei Angebote bekommen, welches soll er nehmen?
Liste alle Firmen auf, aber ohne die Zeitarbeitsfirmen.
Was ist eigentlich der Unterschied zwischen Minijob und Midijob?
kannst du den job bei Apfelhof 12 auf interview stellen, die haben grad geschrieben!!
Wo verdiene ich mehr, als Köchin oder als Bäckerin?
Wie viele Bewerbungen sollte man pro Woche schreiben?
Ich bin so aufgeregt, mein letztes Gespräch war kurz nach der Wende.
Warum hast du mir die zuerst angezeigt?
Zeig mir die gespeicherten Stellen und lösch dann die älteste.
Erzähl mir was Lustiges, der Tag war lang genug.
Was fragen die einen so bei einem Gespräch im Pflegeheim?
Ich überlege, mich morgen bei der Molkerei Tönjes zu bewerben.
Reichen 2.300 netto, um eine Wohnung in Freiburg zu finanzieren?
Welche Stellen bieten eine betriebliche Altersvorsorge?
Schick Herrn Abendroth bitte eine Mail, dass ich mich verspäte.
Wie viele Bewerbungen hat meine Freundin Gisela diesen Monat verschickt?
Mach das Anschreiben ein bisschen herzlicher, das klingt so steif.
Und wie viele davon waren in Kassel?
Welche Firmen haben gute Bewertungen von ihren Mitarbeitern?
Wie viel Urlaub steht mir bei einer Vier-Tage-Woche gesetzlich zu?
Findest du vierzig Absagen schlimm?
Vergleich mir bitte mal die beiden Angebote, meine Frau und ich kommen nicht weiter.
haha, die katze ist über die tastatur gelaufen, einfach ignorieren
Zieh meine Bewerbung beim Kindergarten Löwenzahn bitte zurück, der Weg ist mir doch zu weit.
Soll ich das Angebot annehmen oder lieber noch warten?
Wie erkläre ich im Gespräch, dass mir in der Probezeit gekündigt wurde?
Ich hab langsam echt keine Lust mehr auf die ganze Sucherei
Leg bitte eine Stelle als Dachdecker bei Hoppe & Wendt in Goslar an
Setz die Stelle bei der Klinik am Eichenhain auf abgelehnt
lösch mal alle Kontakte von der Spedition
Schreib mir ein Anschreiben für die Stelle als Erzieherin in Sankt Pölten
Die neue Nummer von Frauke ist 0151 2345678, trag das bitte ein
Gestern war das Vorstellungsgespräch bei den Stadtwerken, lief super
Am Dienstag um neun hab ich Probearbeiten in der Zimmerei
hab mich grad bei der Gärtnerei um die Ecke beworben
Und wie sieht's in Graz aus?
zeig mir noch mehr davon
Ist die auch remote?
Wie viele Leute bewerben sich im Schnitt auf eine Lehrstelle als Tischler?
Wann hat sich mein Bruder bei der Uni beworben?
Wie viele Absagen hat meine Tochter diesen Monat bekommen?
Wo beantrage ich Wohngeld, solange ich keine Arbeit habe?
Kriege ich einen Kredit, wenn ich noch in der Probezeit bin?
Wie lange dauert ein Visum für Fachkräfte aus dem Ausland?
Was verdient eine Pflegefachkraft in Basel im Durchschnitt?
Was macht ein Polymechaniker eigentlich genau?
Wem gehört die Firma Hagedorn & Söhne?
alle Stellen außer denen in Bielefeld
Welche Stellen sind nicht remote?
Zeig mir sämtliche Firmen bis auf die Zeitarbeitsfirmen
Stellen mit Dienstwagen
Jobs ohne Schichtdienst in Kassel
Welche meiner Stellen sind unbefristet und nach Tarif bezahlt?
Wie viele meiner Jobs liegen weniger als 30 km von Ulm entfernt?
Hab ich diesen Monat mehr Bewerbungen geschrieben als im letzten?
Wer zahlt besser, Krümel & Korn oder TurboDach 3000?
Vergleich mal die beiden Stellen in Winterthur
Kommen mehr Absagen von Kliniken oder von Büros?
Zeig mir die Jobs in Flensburg und gib mir die Nummer von Yusuf
Wie viele Kontakte habe ich, und schreib dem neuesten eine kurze Dankesmail
Warum hast du mir eben auf Englisch geantwortet?
weißt du noch, was ich dir über meinen alten Chef erzählt habe?
Wie bist du auf diese Zahl gekommen?
Bei welcher Stelle sollte ich zuerst nachhaken?
Was sage ich am besten, wenn ich Severin Abplanalp anrufe?
Erinner mich am Montag dran, bei der Nordlicht 24 GmbH anzurufen
welche jobs passen zu jemandem, der nicht gern telefoniert?
Such im Internet nach neuen Stellen als Sachbearbeiterin in Jena
Welche von den Firmen hat das beste Betriebsklima?
Soll ich beim Gehalt lieber hoch pokern oder gleich ehrlich sein?
trag mal eine Stelle als Dachdecker bei Moosbrugger in Lindau ein
Heute war das Gespräch bei Tessmar Optik, lief ganz okay
alle Jobs außer denen in Augsburg
Welche Stellen haben eine Kantine?
Zahlt Feinwerk 24 besser als Kranz+Partner?
Zeig mir die Absagen und schreib der letzten Firma eine nette Antwort
Kriege ich in der Probezeit überhaupt einen Kredit?
Welches Visum braucht meine Schwägerin aus Georgien als Pflegekraft?
na, auch schon wach?
setz den Job bei Zweirad Obermaier auf abgelehnt
lösch bitte alle Kontakte bei Pixelkraut GmbH
Schreib mir ein Anschreiben für die Kita Purzelbaum
Was verdient man als Mechatroniker im Schnitt?
Ich bin 58 und mich nimmt doch eh keiner mehr
Am Freitag ruf ich die Frau Szymborski nochmal an
Jobs, bei denen man nicht Schicht arbeiten muss
Gerade kam die Absage von Nordlicht Tonstudio
Ist Höllriegel & Söhne ein guter Arbeitgeber?
Zeig die Jobs in Jena und gib mir dazu noch die Nummer von Cem
die anderen bitte, nicht die remote
Warum zeigst du mir nur fünf?
mein Bafög-Antrag wurde abgelehnt, was kann ich jetzt tun
Bewerbe ich mich eigentlich zu selten?
sortier die mal lieber nach Ort
und wie siehts in Chemnitz aus?
Wie erkläre ich drei Jahre Elternzeit im Gespräch?
Wer ist eigentlich Geschäftsführer von Tessmar Optik?
hab mich gestern bei der Schreinerei Igelspacher beworben, kannst du das eintragen?
Die Nummer vom Xaver hat sich geändert, die neue ist 0151 2345678
Was fragen die so beim Probearbeiten in der Backstube?
Schick der Ludmilla eine Mail, dass ich am Montag komme
Stellen mit Führerschein Klasse C
Welche meiner Bewerbungen hat deiner Meinung nach die besten Chancen?
Kannst du das bitte nochmal kürzer schreiben?
Erzähl mir einen Witz, der Tag war mies genug
Wie viele Leute bewerben sich normalerweise auf so eine Ausbildungsstelle?
Ich hab das Angebot bekommen, juhu!!!
Wie viele offene Stellen gibt es in Deutschland für Erzieher?
nein, den anderen mein ich
Zeig mir die gespeicherten Jobs und bewirb dich bei den besten zwei
Kann ich auch ohne Abschluss Quereinsteigerin in der Pflege werden?
erinner mich am Dienstag dran, bei der Gärtnerei nachzuhaken
Passt die Stelle in Görlitz zu jemandem, der mit Kindern nicht so kann?
Was hältst du von einer Umschulung zum Lokführer mit 45?
danke, du bist echt ein Schatz
Soll ich beim Probearbeiten eigentlich Geld verlangen?
Trag bitte eine Stelle bei Gärtnerei Blumhoff in Celle ein, Gärtnerin, 31.000.
alle Jobs außer denen in Bielefeld
Wie viele Bewerbungen hat meine Schwester letzte Woche geschrieben?
Morgen hab ich um zehn ein Gespräch bei Kältetechnik Möbus.
Setz die Stelle bei Ziegelei Rautenberg auf abgelehnt.
Was ist besser, der Job in Fulda oder der in Kassel?
wie hoch ist der mindestlohn in österreich bzw. kollektivvertrag gastro
Zeig mir meine Kontakte und schreib Herrn Dölling eine Mail.
Lösch alle Jobs, die ich zurückgezogen habe.
Brauche ich für die Stelle in Zürich einen Grenzgängerausweis?
Jobs, bei denen man kein Auto braucht
Was hast du vorhin zu Straub & Partner gesagt?
Schreib mir ein Anschreiben für die Stelle als Tierpflegerin beim Wildpark Harzgrund.
schon wieder ne absage, ich kann bald nicht mehr
Wen bei Lüdecke Metallbau soll ich am besten anrufen?
Dasselbe bitte für Innsbruck.
Die Handynummer von Swetlana Bräuer ist jetzt 0176 5550143.
Wie lange dauert es normalerweise, bis sich Firmen melden?
Remote-Stellen, aber bitte nix im Vertrieb
Sind 2.600 brutto für eine Friseurmeisterin in Ordnung?
Wann wird mein Kreditantrag bei der Sparkasse bewilligt?
Welche Kontakte hab ich noch nicht zurückgerufen?
Wie viele Firmen gibt es eigentlich in Liechtenstein?
Stellen ohne Schichtdienst in Gera
Mein Kumpel Cem hat heute bei Stahlbau Vogt zugesagt.
Wie viele Absagen habe ich, und wie heißt die Frau bei Holz Brandauer?
na, wie geht's dir heute?
Verschieb alle gemerkten Stellen in Ulm auf beworben.
Was macht ein Verfahrensmechaniker so den ganzen Tag?
Ich will mich nächste Woche bei der Stadtgärtnerei Thun bewerben.
Warum bekomme ich im Sommer mehr Absagen als im Winter?
nein, nicht die, die älteren
Welcher Job passt zu mir, wenn ich Rückenprobleme habe?
Kannst du das noch etwas kürzer und lockerer formulieren?
Bei welchen Stellen klang die Chefin am Telefon nett?
Annehmen oder pokern bei Spedition Hufnagel?
Wie viele Leute haben sich auf die Stelle bei Tierarztpraxis Kolb beworben?
Hab grad mit Frau Jankowski telefoniert, sie ist nicht mehr bei Elbtal Pharma.
Was kannst du noch alles?
Erinner mich am Montag dran, bei Fliesen Grabner nachzuhaken.
Alle Kontakte, nur nicht die von der Zeitarbeit
Hab ich dir schon von der Kündigung erzählt?
Stand meines Antrags auf Wohngeld
Mach das rückgängig, ich meinte die andere Müller.
Welche meiner Stellen liegen höchstens eine halbe Stunde mit dem Rad entfernt?
Wie begrüße ich im Vorstellungsgespräch jemanden mit Doktortitel?
soll ich bei Kramer & Kühn nochmal nachhaken?
Leg bitte eine Stelle an: Hausmeister, Stadtwerke Möln, 34.000 €
Wie viele Bewerber gibt es normalerweise auf eine Stelle als Erzieherin?
Meine Schwester hat diese Woche zwei Absagen bekommen
Welche meiner Jobs bieten ein Jobticket?
Hab mich heute früh bei Nordlicht-Optik beworben
Lösch bitte die Stelle bei Hofgut Eichelmann
Schreib mir ein Anschreiben für die Stelle als Orgelbauer
Sind 36k für einen Koch in Leipzig okay?
ändere die Nummer von Ludmila Krawczyk auf 0151 2345678
Wie viele Absagen hab ich und wie ist die Mail von Jörg?
brauche ich für die Schweiz eine Arbeitserlaubnis
Vergleich mal die beiden Angebote von Grothe und Sonnhof
Am Dienstag um zehn hab ich ein Gespräch bei Möbius 3D-Druck
super, danke dir, bis morgen
Wie erkläre ich im Gespräch, dass ich ein Jahr nicht gearbeitet habe?
Bekomme ich mit 42.000 brutto einen Kredit für ein Haus?
setz Wesertal Pflege 24 auf abgelehnt, kam eben per Mail
warum krieg ich eigentlich nur Absagen
welche davon ist am nächsten an meiner Wohnung?
wie viele Bewerbungen hat mein Mitbewohner geschrieben?
Ab wann darf man bei einer Firma nachfragen?
erzähl mir einen Witz
und welche davon sind remote?
Zeig mir die Kontakte bei Sonnhof und schreib jedem eine kurze Mail
Bekomme ich bei Remote-Stellen öfter Antwort als bei anderen?
Erinner mich morgen an den Anruf bei Annegret Süßmilch
Was macht ein Orgelbauer den ganzen Tag?
Jobs, die nicht in Bayern sind
Stellen mit Vier-Tage-Woche
mach das bitte kürzer und nicht so steif
nein, ich meinte die andere
Wie hoch ist der Mindestlohn gerade?
ich überlege, die Bewerbung in Jena zurückzuziehen
Alle gespeicherten Jobs von letzter Woche bitte auf zurückgezogen setzen
wurde mein BAföG-Antrag schon bearbeitet
Welche Firmen auf meiner Liste zahlen nach Tarif?
Gibt es in Paderborn viele Jobs für Tischler?
Üb mit mir ein Vorstellungsgespräch als Altenpfleger
bin heute echt frustriert
Neuer Kontakt: Hasso Brinkmeier von der Firma Talblick, Tel. 0221 99887
Welches von meinen Anschreiben klingt am besten?
Übersetz mein Anschreiben an die Zimmerei ins Englische
was kannst du eigentlich alles?
Wie viele Stunden habe ich diesen Monat in Bewerbungen gesteckt?
Wann hat mein Bruder seinen Visumsantrag gestellt?
Auf wie viele Stellen hat sich mein Bruder letzte Woche beworben?
Zeig mir alle Stellen außer denen in Buxtehude
und wie viele davon sind remote?
Wie war die Nummer von dem Typen, der meine Schwester bei Krönlein eingestellt hat?
Wenn Vierklang absagt, welche Stellen bleiben mir dann noch?
Hab mich gestern auf zwei Jobs in Eckernförde beworben
Zeig mir die Absagen und lösch sie danach
Wann sollte ich mich bei Rabe & Zander bewerben?
brauch noch ein Anschreiben für die Stelle als Hebamme in Kempten
Was verdient eine Tischlerin in Bayern?
Zahlt Lindwurm Robotik mehr als Nordlicht7?
Wie viele Kontakte hab ich und welche Jobs sind in Zwiesel?
Trag bei Jördis Petersen die neue Handynummer ein, 0151 2345678
Alle Stellen in Oberursel auf abgelehnt setzen
Was hatte ich dich vorhin zu Tausendschön gefragt?
nee, die andere
Wie ist der Stand meines Kreditantrags?
Wann habe ich die Blaue Karte beantragt?
Angenommen ich hätte mich letzte Woche nicht beworben, wie viele Stellen wären dann noch offen?
Eine Freundin, die sich bei Wiesner & Kolb beworben hat, hat schon drei Absagen bekommen.
Wie viele freie Stellen gibt es zurzeit in Deutschland?
Morgen bewerbe ich mich auf alle gespeicherten Jobs in Wilhelmshaven.
Warum krieg ich diesen Monat nur Absagen?
Ist das Angebot von Halbe-Meyer 24 fair?
Jobs, die zu mir passen
die Stellen, bei denen man Schichtdienst machen muss
Mechthild hat angerufen, sie wechselt zur Dr. Ohlig GmbH
Schreib Bogdan Wieczorek eine Mail und frag, wo meine Bewerbung bleibt
Wen sollte ich bei Tausendschön & Söhne am besten ansprechen?
Zeig mir die Jobs, die mein Mann gespeichert hat
Remote-Jobs sind halt was anderes als vor Ort, oder?
Wie viele Firmen sind letztes Jahr pleitegegangen?
Bevor du mir die gespeicherten Stellen zeigst, setz die bei Vierklang auf beworben.
das gleiche nochmal für Kempten
Welches Anschreiben hast du mir eben gezeigt?
Welche der drei bestbezahlten Stellen würdest du nehmen?
Die Dame vom Jobcenter fragt, wie viele Bewerbungen ich im April geschrieben habe, was sag ich der bloß?
Sobald ich von Krönlein höre, zeig mir die Kontakte dort
neuer Job: Schornsteinfeger, Bad Säckingen, hybrid, 44k
Stellen in Zwiesel sind echt rar gesät
Wie finde ich heraus, wer bei Nordlicht7 arbeitet?
Welche Stellen sind mit der S-Bahn erreichbar?
Wie viele Absagen hat der Kollege, der mit mir gekündigt hat, inzwischen?
Was würde ich verdienen, wenn ich bei Rabe & Zander anfange und auf 30 Stunden gehe?
Wann meldet sich Lindwurm Robotik endlich?
Bis wie viel Euro gilt ein Job als Minijob?
Kontakte bei Wiesner & Kolb bitte alle an Cem weiterleiten
Hab ich dir nicht gesagt, wie viele Stellen ich gestern hinzugefügt habe?
Lohnt sich der Job bei Kessler & Pohl überhaupt für mich?
Leg bitte eine neue Stelle an: Köchin im Gasthof Hirschen, Bregenz
setz die Stelle bei Möbel Harkort auf abgelehnt
Mein Bruder hat sich auf zwölf Stellen beworben und keine einzige Antwort bekommen, ist das normal?
Kriege ich in der Probezeit einen Kredit?
alle Stellen außer denen in Duisburg
welche Jobs haben ein Jobticket dabei
Zahlt Tüftelwerk 3D mehr als Elbgarten?
Wie viele Absagen habe ich und schreibst du mir gleich noch eine Mail an Frau Oltmanns?
danke dir, bist ein Schatz
Am Dienstag hab ich um 14 Uhr Probearbeiten beim Zwerenz
Was verdient man als Zerspanungsmechaniker in Schwaben?
lösch alle Kontakte von Wachowiak
Schreib mir ein Anschreiben für die Erzieherinnenstelle
Wie lange dauert die Blaue Karte EU?
Die haben mich gestern angerufen und mir abgesagt.
und in Wuppertal?
Jobs wo man nicht um fünf aufstehen muss
Warum bekomme ich nur Absagen?
welche Stellen sind von mir aus mit dem Rad erreichbar
Wie viele Leute bewerben sich im Schnitt auf eine Stelle bei der Stadt?
ändere das Gehalt vom Fliesenlegerjob auf 39.000
Hast du das jetzt wirklich gespeichert?
Seit wann gibt es in Österreich die Arbeiterkammer?
erinner mich am Freitag daran, den Reto anzurufen
ich mag einfach nimmer
Zeig mir die Stellen, die weder in Bern noch in Thun sind
Was zieht man zum Vorstellungsgespräch in einer Schreinerei an?
Meine Tochter hat eine Absage von der Sparkasse gekriegt, wie kann ich sie trösten?
Hab ich mehr Stellen in Graz oder in Klagenfurt?
Formulier mir eine höfliche Nachfrage an Branislav Jovičić
Muss ich das Jobcenter informieren, wenn ich einen Minijob anfange?
bei welchen Jobs darf der Hund mit ins Büro
Ich hab mich heute bei der Kreuzgassen-Apotheke beworben
zeig nur die guten von eben
Auf wie viele Stellen hat sich mein Mitbewohner beworben?
Kann man mit 2100 netto in München leben?
Wie ist die Nummer von Nilgün und welche Jobs hab ich in Kassel gespeichert?
Wann wird im öffentlichen Dienst das Weihnachtsgeld ausgezahlt?
Juhu, ich fange am Ersten bei Strobl an!
Welcher von meinen Kontakten könnte mir am ehesten weiterhelfen?
nein, die andere meinte ich
Trag bei Aurelia die neue Mailadresse ein: a.nuesslin@beispiel.ch
Sind Remote-Jobs schlecht für die Karriere?
Stellen ohne Schichtdienst und ohne Wochenendarbeit
Welche Fragen stellen die bei der Bahn im Bewerbungsgespräch so?
Soll ich bei Overbeck Hydraulik nochmal nachhaken?
trag mal ne neue stelle ein, lagerist bei Kuhlmann in soest
Heute kam die Absage von Nordlicht Optik, schade.
und der dritte?
Lösch bitte alle Kontakte bei Solarhaus 21.
Schreib mir ein Anschreiben für die Stelle als Hebamme in Celle.
alle Jobs außer denen in Berlin
Welche Stellen haben 30 Tage Urlaub?
Wie viele Bewerbungen hat mein Sohn letzten Monat geschrieben?
Was verdient eine Erzieherin in Bayern im Schnitt?
Zahlt Feinwerk 7 mehr als Özdemir Metallbau?
Zeig mir die Stellen in Graz und setz die älteste auf abgelehnt.
Was habe ich dich vorhin gefragt?
Bekomme ich in der Probezeit überhaupt einen Kredit?
hab mich grad bei Kramladen24 beworben, drück mir die daumen
wie lang sollte ein anschreiben eig sein
Jobs, bei denen ich im Gespräch ein gutes Gefühl hatte
Ändere die Nummer von Tjark Ohlsen auf 0461 55 82 13.
Meine Schwester hat drei Angebote bekommen und ich keins.
Brauche ich als Serbe eine Rot-Weiß-Rot-Karte für eine Stelle in Österreich?
Remote-Stellen, aber nichts mit Vertrieb
warum krieg ich immer nur absagen?
Stellen, die ich mit dem Fahrrad erreichen kann
Am Montag um neun habe ich das Vorstellungsgespräch bei Brömmelkamp & Söhne.
Formuliere bitte eine höfliche Nachfrage an Frau Pfannenstiel.
Wie viele Kontakte habe ich und bei wem sollte ich mich mal wieder melden?
und was zahlt die?
Welcher Job ist näher an Kassel, der in Göttingen oder der in Fulda?
Was bedeutet Vertrauensarbeitszeit?
juhu, die zusage von Solarhaus 21 ist da!!
stell den koch-job bitte auf angenommen
Was ziehe ich zu einem Gespräch in einer Bank an?
Firmen mit Betriebskindergarten
Seit wann gibt es die Firma Brömmelkamp eigentlich?
Sind 42.000 Euro brutto für einen Zerspanungsmechaniker okay?
Vergiss, was ich über den Umzug nach Zürich gesagt habe.
danke, das wars erstmal
Auf welche Stellen hat sich meine Frau beworben?
alle Anschreiben bis auf das für die Bäckerei
Hatte ich diesen Monat weniger Absagen als im letzten?
Wie beantrage ich einen Gründungszuschuss?
leg bitte Gesine Wubbena als Kontakt an, die ist Meisterin in der Tischlerei Janßen
Die Personalabteilung meldet sich seit zwei Wochen nicht, was nun?
Wie viele offene Stellen gibt es in Deutschland in der Pflege?
zieh meine bewerbung bei Petersen & Putz zurück
Stellen mit Hund im Büro
nee, ich meinte das andere dokument
Übersetz mein Anschreiben an Feinwerk 7 ins Englische.
tu crois que je devrais accepter le poste à mulhouse
Ajoute un poste de soudeur chez Bertin & Fils.
supprime tous les refus du mois dernier
Je viens de postuler chez Oléis Transport.
Ma sœur a envoyé combien de candidatures la semaine dernière ?
Montre-moi tous les postes sauf ceux en télétravail.
Entre Nacelle 12 et Transalp Fret, qui paie le mieux ?
Liste les postes à Roubaix et donne-moi le numéro de Yacine.
jtai demandé quoi juste avant
Rédige une lettre de motivation pour le poste de comptable.
salut ça va
encore un refus jen peux plus
Ça gagne combien un grutier en moyenne ?
Est-ce qu'il me faut un visa pour travailler au Québec ?
passe le poste de l'atelier 47 en refusé
Le nouveau mail de Rachid Le Goff, c'est rachid@mecanosud.example.
non pas celui-là l'autre
J'ai un entretien chez Verrerie Castagnet jeudi prochain à 14 h.
il fait quel temps à vannes demain
Je réponds quoi s'ils me demandent mes prétentions salariales ?
jai fait combien de demandes de prêt
En général, combien de gens postulent pour un poste comme ça ?
c bon merci bye
À ton avis pourquoi Roche et Loup ne m'ont pas pris ?
appelle mme baudricourt pour moi
tu sais faire quoi au juste
Quelles entreprises ne m'ont toujours pas répondu ?
miel & cie vient d'appeler ils me prennent !!
Il faut combien de candidatures en moyenne avant de décrocher un poste ?
les postes à perpignan mais pas les hybrides
C'est quoi la différence entre hybride et télétravail ?
raconte une blague sur les recruteurs
Envoie un mail à Solène pour savoir quand ils décident.
pareil mais pour angoulême
on vit bien avec 35k à lyon ou pas
Mets les trois postes les mieux payés en postulé.
Combien de demandes d'asile ont été refusées en avril ?
Parmi mes contacts, qui ferait une bonne référence ?
postes sympas sans travail le week-end
raccourcis la lettre stp
Mon cousin commence chez Pain & Papilles lundi.
Compte mes candidatures et écris un mot de remerciement à Maëlys.
rappelle moi vendredi de relancer mécano-sud
dossier pour un appart à nantes il faut quoi
Crée un contact : Hugo Peyrat, Établissements Du Breuil.
Est-ce que je dois parler de mon âge à l'entretien ?
Bonjour, comment allez-vous ce matin ?
Ajoute un poste chez Serres Le Bihan à Morlaix, s'il te plaît, c'est ma voisine qui m'en a parlé.
J'ai eu un monsieur très gentil au téléphone, de chez Roussillon & Petit.
Mon fils a envoyé quinze candidatures et personne ne répond, c'est normal ?
Je peux avoir un prêt immobilier si je suis encore en période d'essai ?
Montre-moi tous les postes sauf ceux de Roubaix.
Quels postes proposent des tickets restaurant ?
Le poste chez Nova 5 est-il mieux que celui de Vannes ?
Combien de refus est-ce que j'ai, et c'est quoi le numéro de Mme Castaing ?
Supprime le poste à la blanchisserie Pinot, ça ne m'intéresse plus du tout.
je viens de me faire recaler par la médiathèque, dégoûtée
Combien gagne un tailleur de pierre en moyenne en Bourgogne ?
Pourriez-vous m'écrire une jolie lettre de motivation pour le poste d'aide-soignante à Auch ?
Est-ce qu'il faut un visa pour travailler trois mois au Québec ?
Merci mille fois, vous êtes un amour.
Lequel de ceux-là est le plus près de la gare ?
Comment expliquer dix ans sans travailler parce que j'élevais mes enfants ?
Passe le poste de la briqueterie Saulnier en refusé, ils m'ont appelé ce matin.
Jeudi à quatorze heures trente j'ai mon entretien chez Delmas-Huong.
Dans quels postes je pourrais venir avec mon chien ?
Change le numéro de Bertrand Queyroux, c'est maintenant le 05 49 00 17 22.
Non pardon, je voulais dire l'autre.
C'est mal vu de relancer au bout d'une semaine ?
Mon mari a reçu deux propositions, laquelle devrait-il prendre ?
Donne-moi toutes les entreprises, sans les agences d'intérim.
C'est quoi au juste un CDI intérimaire ?
tu peux passer le poste chez Verger 21 en entretien, ils viennent de m'écrire !!
Je gagnerais plus comme boulangère ou comme cuisinière ?
Combien de candidatures faut-il envoyer par semaine, à votre avis ?
J'ai un trac fou, mon dernier entretien remonte à 1991.
Pourquoi tu m'as montré celui-là en premier ?
Montre-moi les postes sauvegardés et supprime le plus ancien.
Raconte-moi une blague, la journée a été longue.
Quelles questions posent-ils d'habitude à un entretien en maison de retraite ?
Je pense postuler demain à la laiterie Kermorvan.
Avec 1 900 euros net, je peux prendre un crédit auto ?
Quels postes offrent une bonne mutuelle ?
Envoie un mail à M. Abitbol pour lui dire que je serai en retard, s'il te plaît.
Combien de postes mon amie Josiane a-t-elle visés ce mois-ci ?
Rends la lettre un peu plus chaleureuse, elle fait trop raide.
Et combien parmi eux étaient à Lille ?
Quelles entreprises ont de bons avis de leurs salariés ?
À combien de jours de congés a-t-on droit quand on travaille à mi-temps ?
Quarante refus, vous trouvez que c'est beaucoup ?
Compare-moi les deux propositions, ma femme et moi n'arrivons pas à trancher.
haha le chat a marché sur le clavier, fais pas attention
Retire ma candidature à la crèche Les Coccinelles, finalement c'est trop loin pour moi.
Est-ce que je devrais négocier le salaire dès le premier entretien ?
Comment parler d'un burn-out devant un recruteur ?
salut, ça va toi aujourd'hui ?
J'en ai ras le bol de recevoir des refus
Ajoute un poste de carreleur chez Bâti-Morvan à Autun
Passe le poste de la Clinique du Val-Doré en refusé
supprime tous mes contacts chez Boréal 3D
Rédige une lettre de motivation pour le poste d'aide-soignante à Sherbrooke
le nouveau numéro de Gwendal c'est 06 12 34 56 78, tu peux le changer
J'ai passé un entretien hier chez Dubreuil et ça s'est plutôt bien passé
Jeudi à 14 h j'ai rendez-vous avec la directrice de la crèche
je viens de postuler à la boulangerie en bas de chez moi
et ceux de Namur alors ?
montre-m'en d'autres
Il est en télétravail aussi, celui-là ?
Combien de gens postulent en moyenne à un poste d'infirmière à Lyon ?
Quand est-ce que mon mari a postulé à la mairie ?
Combien de refus a reçus ma cousine en mars ?
Où en est ma demande de prêt étudiant ?
Peut-on obtenir un crédit immobilier en période d'essai ?
Combien de temps faut-il pour avoir un permis de travail au Québec ?
Combien gagne un soudeur débutant en Belgique ?
Ça fait quoi au juste, un géomètre-topographe ?
Qui dirige Transports Vandenbroucke ?
tous les postes sauf ceux de Quimper
Quels postes ne sont pas en télétravail ?
Affiche les entreprises, hormis les agences d'intérim
postes avec tickets restaurant
Quels postes ne demandent pas le permis B ?
Lesquels de mes postes sont en CDI avec une mutuelle correcte ?
postes de nuit à Rennes
Combien de mes postes sont à moins d'une demi-heure de train de Tours ?
Ai-je envoyé plus de candidatures ce mois-ci que le mois dernier ?
Qui paie le mieux entre Moulin & Cie et l'Hôtel des 4 Vents ?
Compare les deux postes hybrides de Liège
Est-ce que les hôpitaux me répondent plus vite que les universités ?
Montre-moi les postes à Clermont-Ferrand et donne-moi le numéro de Maëlys
J'ai combien de contacts, et tu peux écrire un petit merci au dernier ?
C'était quoi ma dernière question ?
pourquoi tu m'as répondu en anglais tout à l'heure ?
tu te souviens de ce que je t'ai raconté sur mon ancienne cheffe ?
D'où sors-tu ce chiffre ?
Quel poste devrais-je relancer en premier ?
Combien de candidatures faut-il envoyer par semaine pour avoir une chance ?
Qu'est-ce que je dis à Solange Harcourt-Mbaye si elle décroche ?
Rappelle-moi d'écrire à l'Atelier Le Guennec lundi prochain
quels postes conviendraient à quelqu'un qui déteste l'open space ?
Cherche sur internet des nouvelles offres de comptable à Annecy
Laquelle de ces entreprises a la meilleure ambiance ?
tu crois que je dois parler salaire dès le premier entretien ?
ajoute un poste de couvreur chez Toitures Malherbe à Vannes
j'ai passé l'entretien chez Novalume ce matin, plutôt sympa
combien de candidatures mon frère a envoyées la semaine dernière ?
tous les postes sauf ceux à Valenciennes
quels postes proposent des tickets resto ?
est-ce que Novalume paie mieux que l'Atelier 27 ?
montre-moi mes refus et écris une réponse polie au dernier
c'était quoi ma question d'avant ?
quel visa faut-il à ma cousine pour venir travailler comme infirmière ?
passe le poste chez Kerbrat Nautisme en refusé
supprime tous les contacts de chez Lumen4
rédige-moi une lettre de motivation pour la crèche Les P'tits Galets
ça gagne combien en moyenne un soudeur ?
à 56 ans j'ai l'impression que plus personne ne veut de moi
vendredi je rappelle Mme Vandenbroucke
des postes où on ne bosse pas le week-end
je viens de recevoir un refus de Tissages Ravenel, dur
c'est une bonne boîte, Boisvert & Cie ?
donne-moi les postes à Albi et puis le numéro de Maëlle aussi
les autres, pas ceux en télétravail
pourquoi tu m'en montres que cinq ?
ma demande d'APL a été refusée, je fais quoi ?
est-ce que je postule trop ?
trie-les plutôt par ville
et à Saint-Brieuc ça donne quoi ?
comment expliquer un trou de quatre ans parce que je m'occupais de ma mère ?
qui dirige Tissages Ravenel ?
j'ai eu plus de refus ce mois-ci que le mois dernier ?
j'ai postulé hier à la Menuiserie Toussaint-Blanc, tu peux le noter ?
le numéro de Jean-Eudes a changé, c'est le 06 12 34 56 78
ils demandent quoi en général pendant un essai en boulangerie ?
envoie un mail à Fatoumata pour la remercier
les postes qui demandent le permis poids lourd
à ton avis laquelle de mes candidatures a le plus de chances ?
tu peux me refaire ça en plus court ?
raconte-moi une blague, j'en ai besoin
il y a combien de candidats en moyenne pour une alternance ?
ça y est, j'ai décroché le poste !!!
combien de postes d'éducateur sont vacants en France en ce moment ?
affiche les postes enregistrés et postule aux deux meilleurs
je peux devenir auxiliaire de vie sans diplôme ?
rappelle-moi mardi de relancer la fromagerie
le poste à Quimperlé, tu le vois pour quelqu'un qui a mal au dos ?
tu penses quoi d'une reconversion en ébénisterie à 48 ans ?
merci, t'es un amour
Tu crois que je devrais relancer la boulangerie Pichon ou attendre encore ?
et la deuxième ?
Ajoute un poste de vendeuse chez Fleurs Marceau à Arras, 22 000 brut.
tous les postes sauf ceux à Roubaix
Combien de candidatures mon cousin a envoyées le mois dernier ?
J'ai un entretien jeudi à 14 h chez Menuiserie Trépanier !
merci infiniment, bonne soirée à toi
Passe le poste chez Volailles Garrec en refusé.
Lequel paie le mieux une fois les impôts enlevés, Sion ou Fribourg ?
C'est combien le SMIC en ce moment ?
Montre mes contacts et rédige un mail à Mme Ouédraogo.
Supprime tous les jobs chez Textiles Bompard.
Est-ce qu'il me faut un permis de travail pour le poste à Genève ?
les emplois où on n'a pas besoin du permis B
Qu'est-ce que tu m'as dit tantôt sur la job à Rimouski ?
Écris-moi une lettre de motivation pour le poste d'ambulancier chez Secours Vallespir.
encore un refus, j'en peux plus là
À qui je devrais parler en premier chez Conserverie Le Goff ?
pareil pour Liège stp
Le nouveau numéro de Mamadou Sow c'est le 77 555 01 42.
En général, ils mettent combien de temps à répondre ?
postes en télétravail mais pas dans la vente
2 100 net pour une éducatrice spécialisée à Nîmes, c'est correct ?
Où en est ma demande de prêt à la Banque du Littoral ?
Quels contacts je n'ai pas encore rappelés ?
Combien d'entreprises y a-t-il au Luxembourg ?
Les postes sans travail de nuit à Mulhouse
Ma pote Inès vient d'être prise chez Cartonnage Vernet.
Combien de refus j'ai eus et comment s'appelle la dame de chez Pneus Laval ?
Mets tous les postes sauvegardés à Brest en postulé.
Ça fait quoi au juste, un chaudronnier, dans une journée ?
Je compte postuler demain aux Jardins d'Oumar.
Pourquoi j'ai plus de refus cette année que l'an dernier ?
non pas ceux-là, les plus anciens
Quel boulot irait à quelqu'un qui a mal au dos ?
Tu peux faire plus court et un peu moins coincé ?
Chez quelles boîtes le patron avait l'air sympa au téléphone ?
J'accepte l'offre de Granits Kerbrat ou je négocie ?
Combien de personnes ont postulé au poste de secrétaire chez Notaires Aubrac ?
Je viens d'avoir Sylvie Tremblay-Roy au téléphone, elle a quitté Érablière Boréale.
Tu sais faire quoi d'autre ?
Rappelle-moi lundi de relancer Peintures Sabatier.
Tous mes contacts à part ceux de l'intérim
Je t'avais déjà parlé de mon licenciement ou pas ?
le statut de ma demande de visa pour le Canada
Annule ça, je parlais de l'autre Karim.
Lesquels de mes postes sont à moins de vingt minutes du métro ?
Comment on s'habille pour un entretien dans une mairie ?
tu crois que je devrais relancer Maison Duvivier ?
ajoute un poste de gardien d'immeuble chez Orlane Habitat à Tours, 23 000 €
combien de candidats y a-t-il en général pour un poste de notaire assistant
ma sœur a eu deux refus cette semaine, elle est dégoûtée
lesquels de mes postes proposent des tickets resto ?
j'ai postulé ce matin chez Clairval Nautisme
supprime le poste chez Verger des Oules
rédige-moi une lettre de motivation pour le poste de luthier
30k pour un plombier à Nantes, c'est correct ?
change le numéro de Maëlle Kerzoncuf, c'est le 06 12 00 34 56 maintenant
combien de refus j'ai eus et c'est quoi le mail d'Augustin ?
est-ce qu'il me faut un visa pour bosser à Montréal
compare les propositions de Solenvie et de Gaulthier Bois
j'ai un entretien jeudi à 14h chez Ponsard-Lévy
comment expliquer un trou de deux ans pendant un entretien ?
avec 32 000 € par an je peux emprunter combien ?
passe Atelier 12bis en refusé, je viens de recevoir le mail
pourquoi on me répond jamais
lequel est le plus près de chez moi ?
combien de candidatures mon coloc a envoyées ?
au bout de combien de temps on peut relancer un recruteur ?
raconte-moi une blague
et parmi ceux-là, lesquels sont à distance ?
liste mes contacts chez Solenvie et écris un mot à chacun
est-ce que j'ai plus de réponses à Lyon qu'à Lille ?
rappelle-moi demain d'appeler Youssef Benhamadi
ça fait quoi comme journée, une aide-soignante ?
les postes qui ne sont pas en Bretagne
postes en semaine de quatre jours
raccourcis un peu et mets un ton moins guindé
non, l'autre
c'est combien le SMIC en ce moment ?
je pense retirer ma candidature à Roubaix
mets tous les postes enregistrés la semaine dernière en retiré
ma demande de logement social, elle en est où ?
quelles entreprises de ma liste ont un comité d'entreprise ?
y a-t-il beaucoup de boulot pour les caristes à Quimper ?
fais-moi passer un faux entretien de boulanger
j'en peux plus de cette recherche
nouveau contact : Clotilde Rabaud, RH chez Tourmaline 9, clotilde@tourmaline9.example
laquelle de mes lettres de motivation est la plus convaincante ?
traduis ma lettre pour le garage Tixier en anglais
tu sers à quoi exactement ?
combien d'heures j'ai passées sur mes candidatures ce mois-ci ?
quand est-ce que mon frère a déposé sa demande de visa ?
À combien de postes mon frère a-t-il postulé la semaine dernière ?
tous les postes sauf ceux de Saint-Brieuc
et parmi ceux-là, combien en télétravail ?
c'est quoi le numéro du mec qui a recruté ma coloc chez Voltarine ?
Si Pic & Plume me refuse, quels postes il me reste ?
Hier j'ai postulé à deux postes d'ébéniste à Figeac
montre-moi les refus et supprime-les
Combien de candidatures faut-il envoyer en moyenne avant de décrocher un CDI ?
Quand est-ce que je dois relancer Biscuiterie Kermadec ?
il me faut une lettre de motivation pour le poste d'orthophoniste à Mont-de-Marsan
Combien gagne une grutière en Bretagne ?
Lequel paie le mieux entre Atelier 47 et Grandval et Fils ?
J'ai combien de contacts et c'est quoi le dernier poste ajouté ?
Mets à jour le mail d'Eulalie de Montreynaud : eulalie@montreynaud.example
passe tous les postes de Douarnenez en refusé
Qu'est-ce que je t'avais demandé sur Rives-Lagarde tout à l'heure ?
Quand est-ce que j'ai déposé mon dossier de visa ?
Mettons que j'accepte chez Kerbiquet, combien de candidatures je devrais retirer ?
Un ami qui a postulé chez Maréchal & Quintin le mois dernier attend toujours, c'est normal ?
Combien y a-t-il d'offres d'emploi non pourvues en France ?
Demain je postule à tous les postes que j'ai enregistrés.
pourquoi j'ai que des refus ce mois-ci ?
La proposition de Tour d'Ivoire 3D est-elle correcte ?
des postes qui me correspondent
les postes où il faut le permis
Ghislain Tchébé ne travaille plus chez eux
Écris à Maïwenn Quéré pour savoir où en est ma candidature
Qui devrais-je contacter chez Nuage & Co ?
les postes que ma femme a enregistrés
le télétravail c'est quand même mieux que l'hybride, non ?
Combien d'entreprises ont fermé à Figeac l'an dernier ?
Avant de me montrer les postes enregistrés, passe celui de Kerbiquet en postulé.
pareil pour Mont-de-Marsan
tu m'as montré quelle lettre de motivation juste avant ?
Parmi les trois postes les mieux payés, tu choisirais lequel ?
France Travail veut savoir à combien de postes j'ai postulé en janvier, je réponds quoi ?
Dès que j'ai une réponse de Voltarine, montre-moi mes contacts là-bas
nouveau poste : soudeur chez Atelier 47, hybride, 34k
les postes à Douarnenez, ça court pas les rues
Comment savoir qui travaille chez Pic & Plume ?
Combien de refus a reçus la fille qui a démissionné avec moi ?
Quel est le numéro de téléphone de la CAF ?
Si j'avais postulé chez Grandval et Fils, je gagnerais combien ?
Envoie la liste de mes contacts à Bakary
je t'ai déjà dit combien de postes j'ai ajoutés hier ou pas ?
Les candidatures envoyées hier, c'était une erreur.
Tu crois que je devrais accepter le poste chez Dupré & Fille ?
ajoute un poste de plongeur au restaurant Le Vieux Lavoir à Annecy
Comment parler d'un licenciement sans plomber l'entretien ?
passe le poste chez Boulange'Rit en refusé stp
Ma cousine a postulé à quinze postes le mois dernier, c'est trop non ?
Est-ce que je peux avoir un prêt immobilier en CDD ?
quels postes offrent des tickets resto
Le poste chez Aqua-Pro 79 paie mieux que celui de la Clinique des Érables ?
Combien j'ai de contacts et tu peux écrire à Solène pour la relancer ?
C'était quoi ma question d'avant ?
merci beaucoup, bonne soirée à toi
J'ai un entretien lundi à 10 h chez Vandenbroucke
Ça gagne combien un chauffeur poids lourd en Belgique ?
supprime tous les contacts de Transports Le Goff
Rédige-moi une lettre de motivation pour le poste d'aide-soignante
Combien de temps pour obtenir un permis de travail au Canada ?
Ils m'ont rappelée hier, le poste est déjà pris.
et à Sherbrooke ?
les postes où on finit pas à pas d'heure
Pourquoi je reçois que des refus ?
quels postes sont à moins de vingt minutes de chez moi en tram
En moyenne, combien de candidats pour un poste à la mairie ?
change le salaire du poste de grutier, c'est 34 000 maintenant
T'as bien enregistré ce que je t'ai dit tantôt ?
C'est quoi la différence entre un CDI et un CDI de chantier ?
rappelle-moi d'appeler Kévin jeudi matin
j'en peux plus de chercher
montre les postes qui ne sont ni à Liège ni à Namur
Comment on s'habille pour un entretien dans une crèche ?
Mon fils s'est fait refuser partout pour son alternance, tu lui conseilles quoi ?
J'ai plus de postes à Lausanne ou à Fribourg ?
Prépare un petit mot poli pour Geneviève Thibodeau-Roy, savoir s'il y a du nouveau
Si je démissionne, j'ai droit au chômage ?
quels jobs acceptent les chiens au bureau
Je viens de postuler chez Pharmacie Oued Fès
garde juste les meilleurs de ta liste d'avant
Mon mari a postulé à combien de postes cette semaine ?
On vit correctement avec 1 600 net à Lyon avec deux enfants ?
bonjour, ça va bien aujourd'hui ?
C'est quoi le numéro de Mamadou, et aussi quels postes j'ai sauvegardés à Dakar ?
Quand est-ce que le SMIC augmente ?
Ça y est, je commence le 2 chez Kerdoncuff !!
Lequel de mes contacts a le plus de chances de me répondre ?
mets le nouveau numéro d'Aïssatou : 06 39 98 41 27
Le télétravail, c'est mauvais pour évoluer ?
postes sans travail de nuit et avec le mercredi libre
Ils posent quelles questions d'habitude pour être agent de sécurité ?
Tu crois que je devrais relancer Biocéa ?
ajoute un poste de plombier chez Marchetti à Toulon
J'ai passé mon entretien chez Transports Guilloux ce matin, ça s'est bien passé.
Supprime tous les contacts de Vasseur & Fils.
Rédige-moi une lettre de motivation pour le poste de fleuriste à Colmar
Quels postes donnent droit à des tickets resto ?
Ma cousine a envoyé combien de candidatures le mois dernier ?
Quel est le salaire moyen d'un soudeur en Bretagne ?
Entre Biocéa et Atelier 48, lequel paie le mieux ?
Montre les postes à Pau et passe le plus ancien en refusé
Est-ce qu'on peut obtenir un prêt immobilier en CDD ?
ça y est j'ai postulé chez Pixel&Co
comment on répond à « quels sont vos défauts » en entretien ?
salut ça va ?
les postes où l'ambiance avait l'air sympa
Change le numéro de Solène Kerbrat, c'est maintenant le 06 39 98 12 40
Mon fils a eu deux refus hier, il est dégoûté.
Quels papiers faut-il pour un permis de travail au Québec ?
des postes en télétravail mais pas dans la vente
pourquoi je n'ai que des refus à votre avis ?
Les postes à moins d'une demi-heure de chez moi en tram
J'ai rendez-vous jeudi à 14 h avec la responsable de la Scierie Aubertin.
Écris un petit mail de remerciement à Geneviève Taillandier
Combien j'ai de contacts, et lequel je devrais appeler en premier ?
et celui-là il paie combien
Le poste à Mulhouse est-il plus intéressant que celui de Colmar ?
C'est quoi exactement une période d'essai renouvelable ?
trop contente, j'ai reçu une offre de la Fromagerie Roc 12 !!!
mets le poste de serveuse en entretien stp
Comment s'habiller pour un entretien dans une étude notariale ?
Les entreprises de ma liste qui ont une crèche
Qui dirige Dubreuil Paysages ?
35 000 brut pour une comptable à Nantes, c'est correct ?
oublie ce que j'ai dit sur le déménagement à Annecy
merci beaucoup, bonne soirée à vous
Les postes auxquels mon compagnon a postulé
toutes mes lettres de motivation à part celle pour la librairie
J'ai eu plus de refus ce mois-ci que le mois d'avant ?
Combien de temps dure l'allocation chômage après une rupture conventionnelle ?
Enregistre Nolwenn Madec comme contact, elle est chef d'atelier chez Kerzoncuf Marine
ça fait dix jours que les RH ne répondent pas, je fais quoi
Combien d'emplois l'industrie du cuir compte-t-elle en France ?
retire ma candidature chez Optique du Vieux-Port
les postes avec la semaine de quatre jours
non, je parlais de l'autre lettre
Traduis ma lettre pour Atelier 48 en anglais, s'il te plaît
J'hésite à accepter, le poste est loin et les horaires me font peur.
tú qué harías, acepto lo de albacete o espero
Añade un puesto de fontanero en Muñiz & Hijos.
borra todos los rechazos del mes pasado
Acabo de postularme en Cerámicas Albaida.
y el segundo?
Muéstrame todos los trabajos menos los remotos.
¿Quién paga mejor, Tuerca 88 o Transportes Quilpué?
Dame los trabajos en Mendoza y el teléfono de Ximena.
q te pregunté hace un rato
Escríbeme una carta de presentación para el puesto de contable.
buenas
otro rechazo más, ya no puedo con esto
¿Cuánto gana de media un soldador en España?
¿Necesito visa para trabajar en Canadá?
pon lo de molino 1932 como rechazado
El nuevo teléfono de Iñaki Sotomayor es 600 123 456.
no ese no, el otro
El jueves que viene tengo entrevista en Sal & Brasa.
qué tiempo va a hacer mañana en lugo
¿Qué trabajos tienen comedor?
¿Qué digo si me preguntan cuánto quiero cobrar?
¿Me postulé a más trabajos este mes que el pasado?
cuántas solicitudes de préstamo llevo
¿Cuánta gente se suele presentar a un puesto así?
listo gracias, eso era todo
¿Por qué crees que no me cogieron en Panadería Los Olmos?
llama a facundo por mí
y tú qué sabes hacer
¿Qué empresas todavía no me han contestado?
me acaban de llamar de lana y co, que me quieren!!
¿Cuántas candidaturas hay que mandar más o menos para que te contraten?
los trabajos en cádiz pero sin los híbridos
¿Qué diferencia hay entre híbrido y remoto?
cuéntame un chiste de reclutadores
Mándale un correo a Begoña y pregúntale cuándo deciden.
lo mismo pero en rosario
se puede vivir con 28 mil en madrid?
Cambia los tres trabajos mejor pagados a postulado.
¿Cuántas solicitudes de asilo se rechazaron en junio?
De mis contactos, ¿quién me serviría como referencia?
trabajos con buen ambiente y sin turnos de noche
haz la carta más corta porfa
deshaz eso
Mi primo empieza el lunes en Redes-Sur 21.
Cuenta mis candidaturas y escríbele unas líneas de agradecimiento a la señora Echevarría.
recuérdame el viernes llamar a la clínica ñandú
qué papeles piden para alquilar un piso
Crea un contacto: Nuria Palau, Grupo De la Vega-Pons.
¿Debería contar en la entrevista que estuve de baja?
Buenos días, ¿qué tal ha amanecido usted?
Añade un puesto en Viveros Lasarte, por favor, que me lo ha dicho una vecina.
Hoy me ha llamado una señora muy maja de Peñalba & Hijos.
Mi hijo ya ha echado veinte solicitudes y nadie le contesta, ¿es normal?
¿Me darían una hipoteca estando en periodo de prueba?
Enséñame todos los puestos menos los de Getafe.
¿Qué puestos tienen comedor de empresa?
¿Es mejor el trabajo de Solaris 8 o el de Huesca?
¿Cuántos rechazos llevo y cuál es el correo de doña Amparo Llorente?
¿Qué te había preguntado antes?
Borra el puesto de la lavandería Pinzón, que ya no me interesa.
me acaban de rechazar en la biblioteca, estoy hecha polvo
¿Cuánto cobra de media un cantero en Galicia?
¿Me escribiría una carta de presentación bonita para el puesto de auxiliar en Jaca?
¿Necesito visado para trabajar tres meses en Canadá?
Muchas gracias, es usted un cielo.
¿Cuál de esos queda más cerca de la playa?
¿Cómo explico que pasé nueve años cuidando a mis padres?
Pon el puesto de Ladrillos Sorribes como rechazado, que me han llamado esta mañana.
El jueves a las cuatro y media tengo la entrevista en Domènech-Rojas.
¿En qué trabajos me dejarían llevar al perro?
Cambia el teléfono de Eusebio Manrique por el 976 00 41 18.
No, perdón, me refería al otro.
¿Queda feo llamar una semana después de postularme?
A mi marido le han hecho dos ofertas, ¿cuál debería coger?
Dame todas las empresas excepto las de trabajo temporal.
¿Qué es exactamente un contrato fijo discontinuo?
porfa pasa el puesto de Huerta 17 a entrevista, que me acaban de escribir!!
¿Dónde ganaría más, de panadera o de cocinera?
¿Cuántas candidaturas conviene mandar por semana?
Estoy nerviosísima, no hago una entrevista desde el 93.
¿Por qué me enseñaste ese primero?
Muéstrame los puestos guardados y después elimina el más viejo.
Cuéntame un chiste, que menudo día llevo.
¿Qué suelen preguntar en una entrevista para una residencia de mayores?
Estoy pensando en postularme mañana a Quesos Valdehierro.
Con 1.400 al mes, ¿puedo pedir un préstamo para el coche?
¿Qué trabajos ofrecen seguro médico privado?
Mándale un correo al señor Abascal-Pino y dile que llego tarde, por favor.
¿A cuántos puestos se ha postulado mi amiga Conchi este mes?
Haz la carta un poco más cercana, que suena muy seca.
¿Y cuántos de esos eran en Zaragoza?
¿Qué empresas tienen buenas opiniones de sus trabajadores?
¿Cuántos días de vacaciones me tocan si trabajo media jornada?
¿A usted le parece que cuarenta rechazos son muchos?
Compárame las dos ofertas, que mi mujer y yo no nos decidimos.
jajaja se me subió el gato al teclado, no hagas caso
Retira mi candidatura de la guardería Pulgarcito, al final me pilla demasiado lejos.
¿Me conviene aceptar un contrato temporal o sigo buscando?
¿Cómo explico que me despidieron sin quedar mal?
hola, qué tal tu día?
Agrega un puesto de soldador en Astilleros Quintela, Ferrol
Pon el puesto de la Clínica Río Claro como rechazado
borra todos los contactos de Talleres Urrutia
Escríbeme una carta de presentación para la vacante de enfermera en Barranquilla
el nuevo celular de Facundo es 11 5555 0142, cambialo porfa
Ayer tuve la entrevista en la panificadora y me fue bastante bien
El miércoles a las diez tengo una prueba en la ferretería
acabo de echar la solicitud en la guardería del barrio
y los de Querétaro?
muéstrame más de esos
¿Ese también es remoto?
¿Cuánta gente se presenta de media a una plaza de celador?
¿Cuándo se postuló mi hermana al ayuntamiento?
¿Cuántos rechazos lleva mi primo este mes?
¿Cómo va mi solicitud de préstamo?
¿Me darían una hipoteca estando de autónomo?
¿Cuánto tarda la visa de trabajo para Chile?
¿Cuánto gana en promedio una contadora en Monterrey?
¿Qué hace exactamente una restauradora de arte?
¿Quién es el dueño de Peña & Hijos?
todos los trabajos menos los de Cuenca
¿Qué puestos no son remotos?
Enséñame las empresas, excepto las de trabajo temporal
empleos con seguro médico
¿Qué vacantes no piden experiencia?
¿Cuáles de mis puestos tienen contrato indefinido y jornada intensiva?
trabajos de noche en Rosario
¿Cuántos de mis empleos me quedan a menos de media hora en metro?
¿Mandé más postulaciones este mes que el anterior?
¿Quién paga mejor, Ferretería La 14 o Café Ñandú?
Compara los dos puestos híbridos de Guadalajara
¿Me contestan más los hospitales o las universidades?
Muéstrame los trabajos en Albacete y dame el teléfono de Itziar
¿Cuántos contactos tengo? y de paso escríbele un agradecimiento al último
por qué me contestaste en inglés antes?
¿te acordás de lo que te conté de mi ex jefe?
¿De dónde sacaste ese número?
¿A qué puesto debería darle seguimiento primero?
¿Cuántas postulaciones por semana es razonable mandar?
¿Qué le digo a Marisol de la Fuente Quispe cuando me llame?
Recuérdame el lunes escribir a Logística Ybarra-Sund
qué trabajos le irían bien a alguien que no soporta las oficinas?
Busca en internet nuevas vacantes de traductora en Montevideo
¿En cuál de estas empresas hay mejor ambiente?
¿tú hablarías del sueldo ya en la primera entrevista?
añade un puesto de albañil en Construcciones Etxaniz, en Irún
hoy tuve la entrevista en Lumbre Estudio y creo que fue bien
¿a cuántos trabajos se postuló mi hermana la semana pasada?
todos los trabajos menos los de Rosario
¿qué puestos tienen comedor gratis?
¿paga mejor Taller 88 o Cerámicas Peñalver?
enséñame los rechazos y escríbele algo amable al último
¿qué te pregunté hace un rato?
¿me dan una hipoteca si estoy en periodo de prueba?
¿qué visado necesita mi primo para trabajar de cocinero en Alemania?
hola, ¿qué tal el día?
pon el puesto de Náutica Berasategi como rechazado
borra todos los contactos de Nube7 Sistemas
redáctame una carta de presentación para la Residencia Los Olmos
¿cuánto gana de media un soldador en Asturias?
tengo 59 años y siento que ya nadie me va a contratar
el jueves llamo otra vez a la señora Quispe
trabajos en los que no haya que madrugar
me acaban de rechazar en Bodegas Arriondo, qué bajón
¿es buena empresa Urrutia & Gil?
dame los trabajos de Cuenca y de paso el teléfono de Itziar
los otros, los que no son en remoto
¿por qué solo me enseñas cinco?
me denegaron la beca, ¿qué puedo hacer?
¿me estoy postulando a demasiadas cosas?
mejor ordénalos por ciudad
¿y en Avilés qué hay?
¿cómo explico cinco años sin trabajar por cuidar a mi padre?
¿quién es el dueño de Cerámicas Peñalver?
¿he tenido más rechazos este mes que el anterior?
ayer me postulé a Ebanistería Montalbán, ¿me lo apuntas?
el número de Efraín cambió, ahora es el 612 345 678
¿qué suelen preguntar en una prueba de panadería?
mándale un correo a Nahuel y dale las gracias
puestos que pidan carnet de camión
según tú, ¿cuál de mis candidaturas tiene más posibilidades?
¿me lo puedes escribir más corto?
cuéntame un chiste, que lo necesito
¿cuánta gente se presenta normalmente a unas prácticas?
¡¡me han dado el puesto!!
¿cuántas vacantes de maestra hay ahora mismo en México?
no, me refería al otro
muéstrame los trabajos guardados y postúlame a los dos mejores
¿puedo trabajar de cuidadora sin título?
recuérdame el martes que llame a la panadería
¿ves el puesto de Calatayud para alguien con la espalda fastidiada?
¿qué opinas de estudiar fontanería a los 47?
¿Tú crees que debería pedir más sueldo en la segunda entrevista?
Agrega una vacante de repostera en Dulces Montealegre, Puebla, 14 mil.
todos los trabajos menos los de Getafe
¿Qué puestos tienen comedor o vales de despensa?
¿Cuántas postulaciones mandó mi hermana la semana pasada?
Tengo entrevista el martes a las 9 en Plásticos Urdaneta, qué nervios
Pon la vacante de Avícola San Gil como rechazada.
¿Qué me conviene más, lo de Cuenca o lo de Loja?
¿De cuánto es el salario mínimo en Colombia?
Enséñame mis contactos y redáctale un correo a la licenciada Zúñiga.
Borra todos los trabajos que ya retiré.
¿Necesito visa de trabajo para el puesto en Houston?
trabajos donde no pidan carnet de conducir
¿Qué me dijiste hace un rato de lo de Talca?
Hazme una carta de presentación para el puesto de jardinero en Viveros Olmedo.
otra vez me rechazaron, ya no doy más
¿A quién le hablo primero en Cementos Yaguarón?
lo mismo pero en Valparaíso
El nuevo celular de Brayan Huamán es 955 501 234.
¿Cuánto suelen tardar en contestar las empresas?
empleos remotos pero que no sean de ventas
¿Están bien 1.400 euros para una auxiliar de geriatría en Soria?
¿Cómo va mi solicitud de hipoteca con Caja Meseta?
¿A qué contactos no les devolví la llamada todavía?
¿Cuántas empresas hay en Andorra?
Puestos sin turno de noche en Zaragoza
A mi primo Joel le dieron el trabajo en Gomas Ibarra hoy.
¿Cuántos rechazos tengo y cómo se llama la señora de Vidrios Paraná?
hola hola, ¿cómo amaneciste?
Pasa todas las vacantes guardadas de Mérida a postuladas.
¿Y qué hace exactamente un tornero en el día a día?
Mañana me voy a postular a Guardería Los Pollitos.
¿Por qué me rechazan más en verano que en invierno?
no, esos no, los más viejos
¿Qué trabajo me vendría bien si tengo la espalda fatal?
¿Lo puedes hacer más corto y menos formal?
¿En qué trabajos el jefe sonaba buena onda por teléfono?
¿Acepto lo de Frigorífico Del Plata o espero a ver?
¿Cuánta gente se postuló al puesto de cajera en Súper Ñemby?
Acabo de hablar con Maite Lizarralde y ya no está en Aceros Bidasoa.
¿Qué más sabes hacer?
Recuérdame el viernes que llame a Pinturas Cienfuegos.
Todos mis contactos excepto los de la ETT
¿Ya te conté lo de mi despido?
estado de mi trámite de residencia
Deshaz eso, yo decía la otra Lupita.
¿Cuáles de mis trabajos quedan a menos de media hora en metro?
¿Qué contesto si me preguntan por qué dejé mi último laburo?
¿crees que debería volver a escribir a Ferrer & Oyarzún?
añade un puesto de conserje en Residencial Torrealba, Burgos, 19.000 €
¿cuánta gente suele presentarse a un puesto de enfermera en Rosario?
a mi hermana la han rechazado dos veces esta semana, pobre
¿cuáles de mis puestos dan cheque guardería?
esta mañana eché la solicitud en Piedralunga Textil
borra el puesto de Bodegas Entrepeñas
escríbeme una carta de presentación para el puesto de apicultor
¿24 mil está bien para un electricista en Sevilla?
cambia el teléfono de Begoña Iturralde al 600 123 004
¿cuántos rechazos llevo y cuál es el correo de Nuria?
necesito visa para trabajar en Alemania?
compárame las ofertas de Almazara Sur y Logística Peñalver
¿qué te acabo de preguntar?
tengo entrevista el miércoles a las once en Clínica Dental Arrebol
muchas gracias, eres un sol
¿cómo explico que estuve dos años sin trabajar?
con 27.000 al año me dan una hipoteca?
pon Taller 9 de Julio como rechazado, me acaban de escribir
¿cuál de esos me queda más cerca de casa?
¿cuántas candidaturas ha mandado mi compañero de piso?
¿cuánto hay que esperar antes de insistirle a una empresa?
cuéntame un chiste
¿y de esos cuáles son en remoto?
lístame los contactos de Almazara Sur y redáctales un correo
¿me contestan más en los puestos remotos que en los presenciales?
recuérdame mañana que llame a Iker Solozábal
¿qué hace una traductora jurada en su día a día?
trabajos que no sean en Cataluña
empleos con jornada intensiva en verano
hazlo más corto y menos formal
no, el otro
¿de cuánto es el salario mínimo ahora?
estoy pensando en retirarme de lo de Mérida
pasa a retirados todos los que guardé la semana pasada
¿ya me aprobaron la solicitud del préstamo?
¿qué empresas de mi lista tienen sindicato?
¿hay mucho trabajo de soldador en Albacete?
hazme una entrevista de práctica para camarero
hoy estoy de bajón con todo esto
guarda a Leandro Quiñones de Talleres Mistral como contacto, tel. 55 1234 0987
¿cuál de mis cartas de presentación convence más?
tradúceme al inglés la carta para la Panadería Lucero
¿qué sabes hacer?
¿cuántas horas le he dedicado a las candidaturas este mes?
¿cuándo pidió mi hermano la visa?
¿A cuántos puestos se postuló mi hermana la semana pasada?
todos los puestos menos los de Calatayud
¿y de esos cuántos son remotos?
cuál es el teléfono del chico que entrevistó a mi prima en Grupo Tábano?
Si me rechazan en Pixel-Norte, ¿qué puestos me quedan?
Ayer me apunté a tres trabajos de soldadora en Zacatecas
enséñame los rechazos y luego bórralos
¿Cuántas candidaturas hay que enviar de media para conseguir trabajo?
los puestos con cheque guardería
¿Cuándo debería escribir a Conservas Albariza?
necesito una carta de presentación para el puesto de matrona en Tudela
¿Cuánto gana un topógrafo en Chile?
¿Quién paga mejor, Trébol 5 o Huerta Clara?
cuántos contactos tengo y cuál es el último puesto que añadí?
Cambia el correo de Ximena Paredes por ximena@paredes.example
marca como rechazados todos los puestos de Villajoyosa
¿qué te pregunté antes sobre Barraca & Hijos?
¿Cuándo pedí el visado?
Pongamos que acepto en Luz y Sombra, ¿cuántas candidaturas tendría que retirar?
Una amiga que se postuló en Iriarte & Peña el mes pasado sigue sin respuesta, ¿es normal?
¿Cuántas vacantes de enfermería hay en España?
Mañana me apunto a todos los puestos guardados.
¿por qué solo me llegan rechazos este mes?
¿Es buena la oferta de Molinos 1920?
puestos que me peguen
los trabajos donde piden carnet de conducir
Eneko Larrañaga ya no trabaja ahí
Escríbele a Aitana Sepúlveda y pregúntale en qué quedó mi postulación
¿A quién me conviene llamar en Nimbo & Cía?
los puestos que ha guardado mi marido
el trabajo remoto es mucho mejor que el híbrido, ¿a que sí?
¿Cuántas empresas cerraron en Zacatecas el año pasado?
Antes de enseñarme los puestos guardados, pasa el de Huerta Clara a postulado.
lo mismo pero en Tudela
¿qué carta de presentación me acabas de enseñar?
De los tres puestos mejor pagados, ¿con cuál te quedarías tú?
Los del paro quieren saber a cuántos puestos me apunté en agosto, ¿qué les digo?
En cuanto me conteste Trébol 5, muéstrame mis contactos de allí
puesto nuevo: ebanista en Molinos 1920, presencial, 24k
los trabajos en Villajoyosa vuelan
¿Cómo averiguo quién trabaja en Pixel-Norte?
¿A qué puestos puedo llegar en metro?
¿Cuántos rechazos lleva el compañero que echaron conmigo?
Si me hubiera postulado en Grupo Tábano, ¿cuánto ganaría ahora?
Mándale mi lista de contactos a Nahuel
¿te dije ya cuántas vacantes añadí ayer o no?
Las candidaturas que envié en octubre no sirvieron para nada.
¿Tú qué harías, acepto lo de Clínica Ñandú o espero?
agrega una vacante de cocinero en Mesón El Tordo, Zacatecas
¿Cómo explico que estuve dos años cuidando a mi papá?
¿y la segunda?
pon el puesto de Textiles O'Higgins como rechazado
Mi prima se postuló a veinte trabajos este mes, ¿no será mucho?
todos los empleos menos los de Móstoles
qué trabajos dan vales de despensa
¿Paga mejor Plásticos Herrera-Luna que La Espiga?
¿Cuántos rechazos tengo? y de paso escríbele a Iñaki para ver si hay novedades
¿Qué te pregunté hace rato?
El miércoles a las 9 tengo entrevista con los de Hotel Mar de Cobo
¿Cuánto gana un albañil en Uruguay?
borra todos los contactos de Ferretería Hnos. Quiroga
Hazme una carta de presentación para el puesto de enfermera
¿Cuánto se tarda en sacar el permiso de trabajo en España?
Me llamaron ayer y dicen que el puesto ya está cubierto.
¿y en Mendoza?
laburos donde no te exploten jaja
¿Por qué será que solo me rechazan?
qué puestos me quedan a menos de media hora en metro
¿Cuánta gente suele presentarse a una plaza de celador?
cámbiale el sueldo al puesto de carpintero, son 19.500
¿De verdad guardaste lo que te dije?
¿En qué año se creó el salario mínimo en México?
recuérdame llamar a Wilfredo el lunes temprano
ya no puedo más con esto de buscar
muéstrame los puestos que no sean ni en Lima ni en Callao
¿Qué me pongo para una entrevista en una notaría?
A mi hijo lo rechazaron de dos prácticas, ¿cómo lo animo?
¿Tengo más puestos en Murcia o en Cartagena?
Redacta un mensaje corto y amable para Xóchitl Barragán preguntando cómo va lo mío
Si renuncio, ¿me toca finiquito?
en qué trabajos dejan llevar al perro
Acabo de postularme a la Farmacia San Telmo 24h
de los que me diste antes déjame solo los buenos
¿A cuántos trabajos se ha apuntado mi compañera de piso?
¿Se puede vivir en Bogotá con dos millones y medio al mes?
buenos días, ¿cómo amaneciste?
Pásame el teléfono de Yaretzi y también dime qué vacantes tengo guardadas en Puebla
¿Cuándo pagan el aguinaldo en Argentina?
¡Empiezo el día 1 en Grúas & Montajes del Sur, qué nervios!
no, esa no, la otra
ponle a Eusebio el número nuevo: 300 555 0148
¿El trabajo remoto es malo para ascender?
puestos sin turno de noche y con los viernes por la tarde libres
¿Qué suelen preguntar en las entrevistas para conductor de autobús?
¿Debería aceptar el puesto en la Panadería Lozoya aunque paguen menos?
apunta un trabajo nuevo, peluquera en Salón Maritxu, Bilbao
Ayer me llamaron de Seguros Alborada y quieren conocerme.
Borra los trabajos de Zaragoza
Escríbeme una carta de presentación para el puesto de jardinero en Viveros La Ñora
¿Qué trabajos tienen jornada intensiva en verano?
¿A cuántos puestos se ha presentado mi hermana este mes?
¿Cuánto gana de media un soldador en Asturias?
¿Quién paga más, Nubosidad 360 o Cartonajes Bermúdez?
Dime los trabajos que tengo en Vigo y archiva los viejos
qué te pregunté antes?
acabo de postularme en Talleres Urrutia
cómo hago para no ponerme nervioso en la entrevista
buenos días, ¿qué tal has dormido?
trabajos donde el jefe me cayó bien
Cambia el correo de Xiomara Peñaloza a xiomara@penaloza.example
A mi marido lo rechazaron en tres sitios la semana pasada
¿Qué visa necesito para trabajar en Chile siendo peruana?
trabajos remotos que no sean de ventas
por qué crees que no me llaman de ningún lado?
empleos a los que pueda ir caminando desde mi casa
El viernes a las once tengo la entrevista con Hermanos Iturbe & Cía.
Redacta un correo para darle las gracias a don Eusebio Manrique
¿Cuántos contactos tengo y a quién me convendría llamar primero?
y ese cuánto paga
¿Me queda más cerca el trabajo de Cádiz o el de Jerez?
¿Qué significa exactamente fijo discontinuo?
me dieron la chamba de chofer!!! no lo puedo creer
pasa el puesto de camarero a entrevista porfa
¿Cómo me visto para una entrevista en un bufete?
las empresas de mi lista que tienen comedor
¿En qué año se fundó Cartonajes Bermúdez?
24.000 brutos para una enfermera, ¿te parece bien?
olvida lo que te dije de mudarme a Valparaíso
los trabajos a los que se postuló mi compañero de piso
mis cartas de presentación excepto la de la farmacia
¿Me han rechazado más este mes que el anterior?
¿Cómo se pide la prestación por desempleo si soy autónomo?
agregá a Fermín Goycoechea como contacto, es capataz en Astilleros Punta Lara
hace dos semanas que no contestan los de recursos humanos, qué hago
¿Cuántos empleos genera el turismo en Canarias?
retira mi candidatura de la Clínica Sanz-Peña
puestos que acepten a alguien sin carnet de conducir
Traduce al catalán mi carta para Grupo 5 Esquinas
Estoy harta de buscar trabajo, de verdad, ya no puedo más.
"""
