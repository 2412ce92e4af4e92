# ruff: noqa: E501 - a label stands beside its sentence
"""What eleven more strangers say to a job tracker, in the form of `utterances_plain`: 50 plain requests of
each in each language, a third of them as terse as in a field for search, and 50 for a model.

No writer had seen rules or code. What the rules understood at first sight, each set after the mends
for the ones before it: 64 of 100 of the first's, then 73, 80, 76, 80, 76, 88, 84, 80, 85 and 82; before
this round of mends it was 64 of the first's and of the second's. Of the last two sets 94 of 100 of what is
terse or a plain question were understood, 59 of what is colloquial. The last six writers named what
they asked for also where they were terse. Of 2,200 for a model ten were answered when they were new,
five of them look-ups and follow-ups. A label that says "has an offer" where the sentence says "got one" is `status>=offer`
here. Left out: "number of applications", which counts every row that is kept, three times.
"""

from __future__ import annotations

ENGLISH = """
staff nurse jobs in Bradford => list jobs title~staff nurse location~Bradford
jobs at Pellow & Finch => list jobs company~Pellow & Finch
welder jobs in Barrow-in-Furness => list jobs title~welder location~Barrow-in-Furness
remote paralegal jobs => list jobs remote_type=remote title~paralegal
rejections last month => list jobs status=rejected status@last_month
contacts at Oakhanger Press => list contacts company~Oakhanger Press
number of saved jobs => count jobs status=saved
Brannigan 24/7 Logistics status => lookup jobs *~Brannigan 24/7 Logistics
phone number Siobhan O'Dwyer => lookup contacts *~Siobhan O'Dwyer
jobs from 32k => list jobs salary_min>=32000
hybrid jobs in Stoke-on-Trent => list jobs remote_type=hybrid location~Stoke-on-Trent
5 newest jobs => list jobs by created_at desc limit 5
all my companies => list companies
jobs with an offer => list jobs status=offer
applications in march => list jobs status>=applied status@march
total contacts => count contacts
Which jobs am I interviewing for at the moment? => list jobs status=interviewing
Can you show me every teaching assistant job in Hebden Bridge? => list jobs title~teaching assistant location~Hebden Bridge
When did I apply to Castell-Howe Academy? => lookup jobs *~Castell-Howe Academy
What does the job at Rimmer Fabrication pay? => lookup jobs *~Rimmer Fabrication
What is Gwendolyn Achterberg's email address? => lookup contacts *~Gwendolyn Achterberg
Who does Tariq Lomax work for? => lookup contacts *~Tariq Lomax
How many companies did I add last week? => count companies created_at@last_week
Which jobs pay at least £38,000? => list jobs salary_min>=38000
Show me the jobs that pay more than 45k. => list jobs salary_min>=45001
List the on-site picker jobs in Daventry. => list jobs remote_type=onsite title~picker location~Daventry
How many of my applications were rejected in February? => count jobs status=rejected status@february
Which documents did I add yesterday? => list documents created_at@yesterday
Who are my contacts at Thistle & Wren LLP? => list contacts company~Thistle & Wren LLP
What are the three best paid jobs? => list jobs by salary_min desc limit 3
How many cover letters do I have? => count documents kind=cover_letter
Which jobs have I withdrawn from? => list jobs status=withdrawn
hiya, could you pull up the graphic designer jobs in Brighton pls => list jobs title~graphic designer location~Brighton
sorry to be a pain, whats the phone number for Delphine Oyelaran? I've lost my little book => lookup contacts *~Delphine Oyelaran
my daughter keeps asking so, how many jobs have i applied for this week? => count jobs status>=applied status@this_week
any idea where things stand with Vandermeer Steelworks?? => lookup jobs *~Vandermeer Steelworks
just got in from a night shift, show me the jobs i added today please => list jobs created_at@today
ok hit me, how many rejections so far lol => count jobs status=rejected
Good morning! I'd be grateful for a list of all my contacts, thank you. => list contacts
need to work out my bus fares so where is the Quillfeather Nursery job again? => lookup jobs *~Quillfeather Nursery
alright mate, show us the TIG welder jobs paying over 40 grand => list jobs title~TIG welder salary_min>=40001
gimme the 10 newest jobs, quick coffee break here => list jobs by created_at desc limit 10
I can't manage the commute anymore so please list just the remote jobs. => list jobs remote_type=remote
um how many contacts have i got at St Aldhelm's Hospice => count contacts company~St Aldhelm's Hospice
hey which jobs gave me an offer? dying to look at them again => list jobs status=offer
could u list the hybrid illustrator jobs for me, ta => list jobs remote_type=hybrid title~illustrator
jobs i got rejected from last week pls, wanna get it over with => list jobs status=rejected status@last_week
so my old tutor wants a number... how many trainee solicitor jobs in Leeds have I got? => count jobs title~trainee solicitor location~Leeds
carpenter jobs Hebden Bridge => list jobs title~carpenter location~Hebden Bridge
jobs at Pottle & Wray => list jobs company~Pottle & Wray
remote data analyst roles => list jobs remote_type=remote title~data analyst
contacts at Quillfeather Ltd => list contacts company~Quillfeather Ltd
Moira Tregenza phone number => lookup contacts *~Moira Tregenza
hybrid jobs 35k or more => list jobs remote_type=hybrid salary_min>=35000
sous chef jobs over 32k => list jobs title~sous chef salary_min>=32001
applications this week => list jobs status>=applied status@this_week
Brockley-Nunn Coaches application status => lookup jobs *~Brockley-Nunn Coaches
jobs added yesterday => list jobs created_at@yesterday
onsite bus driver jobs in Stoke-on-Trent => list jobs remote_type=onsite title~bus driver location~Stoke-on-Trent
withdrawn jobs => list jobs status=withdrawn
email for Piotr Wasilewski-Grant => lookup contacts *~Piotr Wasilewski-Grant
How many jobs have I applied to so far? => count jobs status>=applied
How many rejections did I get in October? => count jobs status=rejected status@october
Which companies do I have in my list? => list companies
What is Siobhan O'Rafferty's email address? => lookup contacts *~Siobhan O'Rafferty
When did I apply to 4th Lock Brewing? => lookup jobs *~4th Lock Brewing
Show me all the jobs in Kirkcaldy that pay at least £28,000. => list jobs location~Kirkcaldy salary_min>=28000
Who do I know at Van der Plas Interiors? => list contacts company~Van der Plas Interiors
How many cover letters have I got? => count documents kind=cover_letter
How much does the job at Mossop Timber Frames pay? => lookup jobs *~Mossop Timber Frames
Which jobs did I withdraw from last month? => list jobs status=withdrawn status@last_month
What are the three newest jobs on my list? => list jobs by created_at desc limit 3
How many companies am I tracking? => count companies
Please list the hybrid office manager jobs in Milton Keynes. => list jobs remote_type=hybrid title~office manager location~Milton Keynes
Which company does Dev Ramanathan work for? => lookup contacts *~Dev Ramanathan
Can you show me every job I added in May? => list jobs created_at@may
Where does my application to Tansy & Thrale Accountancy stand? => lookup jobs *~Tansy & Thrale Accountancy
hiya, how many jobs have i applied to this month? just curious => count jobs status>=applied status@this_month
ok so i need to ring Gaz Hollinrake in a min, whats his number?? => lookup contacts *~Gaz Hollinrake
any remote bookkeeper jobs in there pls => list jobs remote_type=remote title~bookkeeper
my mum keeps asking so... how many offers do i actually have right now => count jobs status=offer
could u pull up the receptionist jobs in Salford, im on the bus and cant scroll => list jobs title~receptionist location~Salford
morning! which jobs got rejected this week then, go on => list jobs status=rejected status@this_week
wheres the Pennine Arrow 27 job again? need to work out the commute => lookup jobs *~Pennine Arrow 27
right, show us everything paying more than 45k would you, ta => list jobs salary_min>=45001
sorry to bother you but who have i got at Little Fennimore's in my contacts? => list contacts company~Little Fennimore's
how many docs have i got on here btw => count documents
gimme the pastry chef jobs in Truro please, thanks a mil => list jobs title~pastry chef location~Truro
remind me how many jobs i stuck on here yesterday lol => count jobs created_at@yesterday
I've completely forgotten, when did I apply for the Ostrander Joinery one? => lookup jobs *~Ostrander Joinery
quick q: top 3 best paying jobs? doing my budget tonight => list jobs by salary_min desc limit 3
hey, whats the email for Annike de Vries-Holt, i cant find it anywhere => lookup contacts *~Annike de Vries-Holt
so which jobs did i apply to today, want to tick them off before tea => list jobs status>=applied status@today
electrician jobs in Wolverhampton => list jobs title~electrician location~Wolverhampton
remote qa tester jobs => list jobs remote_type=remote title~qa tester
contacts at Brindle & Marsh => list contacts company~Brindle & Marsh
phone number Oonagh McAteer => lookup contacts *~Oonagh McAteer
all cover letters => list documents kind=cover_letter
saved pharmacist jobs => list jobs status=saved title~pharmacist
top 3 best paid jobs => list jobs by salary_min desc limit 3
jobs min 38k Bristol => list jobs salary_min>=38000 location~Bristol
hybrid marketing manager jobs => list jobs remote_type=hybrid title~marketing manager
status Larkfield Nursery 24 => lookup jobs *~Larkfield Nursery 24
onsite jobs Newcastle-under-Lyme => list jobs remote_type=onsite location~Newcastle-under-Lyme
my companies => list companies
How many jobs did I apply to in February? => count jobs status>=applied status@february
Which receptionist jobs in St Ives have I saved? => list jobs status=saved title~receptionist location~St Ives
What is Tomasz Wieczorek's email address? => lookup contacts *~Tomasz Wieczorek
When did I apply to Pedal-Post Couriers? => lookup jobs *~Pedal-Post Couriers
How much does the job at Quarrington Dispensary pay? => lookup jobs *~Quarrington Dispensary
Show me all on-site kindergarten teacher jobs in Dublin. => list jobs remote_type=onsite title~kindergarten teacher location~Dublin
Who do I know at O'Hanlon Hotels? => list contacts company~O'Hanlon Hotels
List the jobs that pay more than 55,000. => list jobs salary_min>=55001
How many rejections did I get this month? => count jobs status=rejected status@this_month
Where is the job at Testwright 3000 based? => lookup jobs *~Testwright 3000
Which company does Precious Adeyinka work for? => lookup contacts *~Precious Adeyinka
What are the five newest jobs on my list? => list jobs by created_at desc limit 5
Which jobs did I withdraw from last week? => list jobs status=withdrawn status@last_week
How many remote jobs paying at least 42k do I have? => count jobs remote_type=remote salary_min>=42000
hiya, can u pull up the courier jobs in Hackney pls => list jobs title~courier location~Hackney
my sister keeps asking lol, how many jobs have i applied to so far? => count jobs status>=applied
sorry to bother you again but what's the phone number for Gethin Pryce-Jones => lookup contacts *~Gethin Pryce-Jones
ok so where do things stand with Saltmarsh Bay Hotel? => lookup jobs *~Saltmarsh Bay Hotel
my knee's wrecked and i can't do the stairs, show me the remote jobs on my list please => list jobs remote_type=remote
morning! which jobs did i add last week, totally lost track => list jobs created_at@last_week
how many people do i have in my contacts now?? => count contacts
just on my break so quick one, which jobs rejected me in january => list jobs status=rejected status@january
gimme the ten best paid jobs, rent's gone up again => list jobs by salary_min desc limit 10
could you be a dear and show me everyone i know at Little Acorns Pre-School => list contacts company~Little Acorns Pre-School
cheers mate, show me the hybrid jobs in Milton Keynes when you get a sec => list jobs remote_type=hybrid location~Milton Keynes
bills are killing me so show me the jobs paying at least 35k please => list jobs salary_min>=35000
whats the pay on the Hobbs-Delacroix Agency job again? => lookup jobs *~Hobbs-Delacroix Agency
hey there, feeling proud today haha, show me the jobs marked as accepted => list jobs status=accepted
um how many electrician jobs in Cardiff have i got in here => count jobs title~electrician location~Cardiff
hope you're well! I'd love to see the companies i added this month => list companies created_at@this_month
jobs in Kettering => list jobs location~Kettering
remote project manager jobs => list jobs remote_type=remote title~project manager
offers => list jobs status=offer
contacts at Snip & Shear => list contacts company~Snip & Shear
hairdresser jobs Whitby => list jobs title~hairdresser location~Whitby
saved postdoc jobs => list jobs status=saved title~postdoc
hgv driver 35k+ => list jobs title~hgv driver salary_min>=35000
Marnie Okonjo-Tate phone => lookup contacts *~Marnie Okonjo-Tate
number of applications this month => count jobs status>=applied status@this_month
hybrid librarian roles in Stow-on-the-Wold => list jobs remote_type=hybrid title~librarian location~Stow-on-the-Wold
all companies => list companies
applied in October => list jobs status>=applied status@october
civil engineer jobs, interviewing => list jobs status=interviewing title~civil engineer
How many rejections have I had so far? => count jobs status=rejected
Which of my jobs are currently at the interview stage? => list jobs status=interviewing
What does the Pellow & Daughters job pay? => lookup jobs *~Pellow & Daughters
When did I apply to Tarnhow Haulage? => lookup jobs *~Tarnhow Haulage
What is Gethin Pryce-Lloyd's phone number? => lookup contacts *~Gethin Pryce-Lloyd
Who do I know at 4Rivers Logistics? => list contacts company~4Rivers Logistics
How many cover letters have I got stored? => count documents kind=cover_letter
Show me every shop assistant job in Nether Wallop that pays at least 22k. => list jobs title~shop assistant location~Nether Wallop salary_min>=22000
How many companies are in my list? => count companies
Could you list the on-site structural technician jobs in Llandrindod Wells? => list jobs remote_type=onsite title~structural technician location~Llandrindod Wells
Which company does Bartholomew Quist work for? => lookup contacts *~Bartholomew Quist
How many jobs did I add last week? => count jobs created_at@last_week
List all the remote jobs that pay more than 45,000. => list jobs remote_type=remote salary_min>=45001
Where is the job at Ó Súilleabháin Genomics based? => lookup jobs *~Ó Súilleabháin Genomics
Which jobs turned me down in February? => list jobs status=rejected status@february
What are the five newest jobs I've put in here? => list jobs by created_at desc limit 5
hiya, how many jobs have i applied for this week? gotta tell the job centre lol => count jobs status>=applied status@this_week
morning! can u pull up the remote jobs pls => list jobs remote_type=remote
sorry to be a pain but whats dave o'rourke's number again, i need to ring him => lookup contacts *~dave o'rourke
right then, which jobs knocked me back last week? => list jobs status=rejected status@last_week
ok so where do i stand with Curl Up & Dye 2?? => lookup jobs *~Curl Up & Dye 2
hey just being nosy, how many contacts have i got in here now => count contacts
my mum keeps asking so... how many jobs am i interviewing for atm => count jobs status=interviewing
got five mins on my break, show us the class 2 driver jobs in Goole => list jobs title~class 2 driver location~Goole
be a love and show me which jobs i've got an offer for => list jobs status=offer
evening, which library assistant jobs have I still got down as saved? my laptop's about to die => list jobs status=saved title~library assistant
hi, I've got a call with the recruiter in ten minutes, what's the status of my bridge engineer application? => lookup jobs *~bridge engineer
pls pls remind me what salary Zeb's Fruit 'n' Veg had on the ad => lookup jobs *~Zeb's Fruit 'n' Veg
cheers for that! now gimme all the hybrid jobs in St Neots => list jobs remote_type=hybrid location~St Neots
quick one b4 the school run: which jobs did i apply to today => list jobs status>=applied status@today
ugh lost my address book. whats the email for Ngozi Halloran-Ekwueme => lookup contacts *~Ngozi Halloran-Ekwueme
im in a bit of a rush sorry, three best paid jobs in Hull?? => list jobs location~Hull by salary_min desc limit 3
baker jobs Harrogate => list jobs title~baker location~Harrogate
remote sub-editor => list jobs remote_type=remote title~sub-editor
contacts at Thistle & Crumb => list contacts company~Thistle & Crumb
phone Maureen O'Dwyer => lookup contacts *~Maureen O'Dwyer
hybrid jobs Stoke-on-Trent => list jobs remote_type=hybrid location~Stoke-on-Trent
saved gardener jobs => list jobs status=saved title~gardener
jobs over 32k => list jobs salary_min>=32001
number of applications this week => count jobs status>=applied status@this_week
status Quill7 Media => lookup jobs *~Quill7 Media
5 best paid remote jobs => list jobs remote_type=remote by salary_min desc limit 5
interviewing, Cardiff => list jobs status=interviewing location~Cardiff
How many saved jobs do I have in Inverness? => count jobs status=saved location~Inverness
Which jobs did I apply for in February? => list jobs status>=applied status@february
What is the phone number of Tobias Achterberg? => lookup contacts *~Tobias Achterberg
When did I apply to Fernleigh Lodge Care Home? => lookup jobs *~Fernleigh Lodge Care Home
Show me all on-site support worker jobs in Kettering. => list jobs remote_type=onsite title~support worker location~Kettering
What does the job at Brindle-Hague Nurseries pay? => lookup jobs *~Brindle-Hague Nurseries
Which of my jobs pay at least 45,000? => list jobs salary_min>=45000
How many cover letters have I got on file? => count documents kind=cover_letter
Who do I know at Ostrava Systems 42? => list contacts company~Ostrava Systems 42
Where do I stand with the Pennyfarthing Post? => lookup jobs *~Pennyfarthing Post
List the three newest jobs. => list jobs by created_at desc limit 3
Which company does Siobhan McAteer work for? => lookup contacts *~Siobhan McAteer
How many rejections did I get yesterday? => count jobs status=rejected status@yesterday
Can you list the backend engineer jobs I added this month? => list jobs title~backend engineer created_at@this_month
hiya, could u pull up the call handler jobs in Sunderland pls => list jobs title~call handler location~Sunderland
right, my partner's asking so: how many jobs did i apply for today => count jobs status>=applied status@today
sorry to be a pain but what was Gwen Llewellyn-Price's email again? => lookup contacts *~Gwen Llewellyn-Price
morning! before the dough goes in, which jobs have i got an offer for => list jobs status=offer
ok be honest, how many times was i rejected in november?? => count jobs status=rejected status@november
just need to ring her back quickly, whats Parveen Akhtar's number => lookup contacts *~Parveen Akhtar
hey can you show me the remote jobs that pay 50k or more, thx => list jobs remote_type=remote salary_min>=50000
i've completely lost track lol where did i get to with Hexley & Daughters => lookup jobs *~Hexley & Daughters
the job centre wants a figure, so how many applications have i made in total? cheers => count jobs status>=applied
gimme all the landscape gardener jobs in Tewkesbury please mate => list jobs title~landscape gardener location~Tewkesbury
hi there, i'm sat on the bus, quick one: what jobs have i got at NorthPeak24 => list jobs company~NorthPeak24
hmm when did i send off my application to Dúnmore Bakehouse, cant remember => lookup jobs *~Dúnmore Bakehouse
Evening. Would you be so kind as to show me all my documents? => list documents
wanna see the saved HR officer jobs, hybrid only, ta => list jobs status=saved remote_type=hybrid title~HR officer
pls show the 4 best paid jobs in bristol, need cheering up => list jobs location~bristol by salary_min desc limit 4
oh and my mum wants to know, how many contacts do i have at St Aubyn's Hospice => count contacts company~St Aubyn's Hospice
secretary jobs in Kettering => list jobs title~secretary location~Kettering
remote web designer roles => list jobs remote_type=remote title~web designer
midwife positions Stoke-on-Trent => list jobs title~midwife location~Stoke-on-Trent
jobs at Pell & Wragg Motors => list jobs company~Pell & Wragg Motors
hybrid jobs over 38k => list jobs remote_type=hybrid salary_min>=38001
job rejections last month => list jobs status=rejected status@last_month
contacts at Number 9 Kitchen => list contacts company~Number 9 Kitchen
Siobhán O'Grady phone number => lookup contacts *~Siobhán O'Grady
email address Dale Przybylski => lookup contacts *~Dale Przybylski
my cover letters => list documents kind=cover_letter
top 3 best paid mechanic jobs => list jobs title~mechanic by salary_min desc limit 3
saved security guard jobs => list jobs status=saved title~security guard
on-site roles in Llandudno => list jobs remote_type=onsite location~Llandudno
Which mechanic jobs in Merthyr Tydfil pay at least 34k? => list jobs title~mechanic location~Merthyr Tydfil salary_min>=34000
When did I apply to Hartwell-Osei Catering? => lookup jobs *~Hartwell-Osei Catering
What does the position at Birch & Tonks Solicitors pay? => lookup jobs *~Birch & Tonks Solicitors
Who do I know at Meridian 24 Security? => list contacts company~Meridian 24 Security
What is Ngozi Batchelor's phone number? => lookup contacts *~Ngozi Batchelor
Who does Fergus MacAlister work for? => lookup contacts *~Fergus MacAlister
List all of my companies. => list companies
Show me the jobs I withdrew from. => list jobs status=withdrawn
Which sales representative jobs did I add last week? => list jobs title~sales representative created_at@last_week
How many jobs rejected me in February? => count jobs status=rejected status@february
Where is the job at Quillon Studio located? => lookup jobs *~Quillon Studio
Please show me the four best paid hybrid jobs in Aberdeen. => list jobs remote_type=hybrid location~Aberdeen by salary_min desc limit 4
How many companies are there in my tracker? => count companies
How many midwife jobs do I have in Cork? => count jobs title~midwife location~Cork
hiya, could you pull up the sous chef jobs in Tenby for me? ta => list jobs title~sous chef location~Tenby
sorry to bother you again, whats the status of my application at Fairlop Garage => lookup jobs *~Fairlop Garage
my husbands asking so quick one: how many jobs have i applied to so far?? => count jobs status>=applied
hey can u show me all the remote jobs pls, the commute is killing me => list jobs remote_type=remote
ok be honest with me lol how many job rejections did I get last week => count jobs status=rejected status@last_week
morning! need to ring Tamsin Vance-Adeyemi before my shift, what's her number? => lookup contacts *~Tamsin Vance-Adeyemi
gimme the night security officer jobs that pay more than 29k, bills to pay :) => list jobs title~night security officer salary_min>=29001
right then, where do i stand with the 3 Bridges Birth Centre job? cant remember for the life of me => lookup jobs *~3 Bridges Birth Centre
would you mind listing the jobs I've got offers for? I want to look at them over dinner, thanks => list jobs status=offer
yo how many contacts do i have at Dunmore Freight Ltd, asking cos i need a reference => count contacts company~Dunmore Freight Ltd
let me see the jobs i added today plz, got a bit click happy on the bus => list jobs created_at@today
hi there, im in a rush - show me the web designer jobs at Pixel & Plum => list jobs title~web designer company~Pixel & Plum
can ya dig out my cover letters, got an hour before the kids are home => list documents kind=cover_letter
ugh brain like a sieve today. when did I apply to St Edburga's Maternity? => lookup jobs *~St Edburga's Maternity
cheers in advance! just the three newest legal secretary jobs please => list jobs title~legal secretary by created_at desc limit 3
so erm which jobs did i apply for yesterday, i was half asleep when i did it => list jobs status>=applied status@yesterday
plumber jobs Dundee => list jobs title~plumber location~Dundee
remote translator jobs => list jobs remote_type=remote title~translator
contacts at Brackley & Thorne => list contacts company~Brackley & Thorne
Siobhan McNulty phone number => lookup contacts *~Siobhan McNulty
hybrid jobs in Milton Keynes, at least 38k => list jobs remote_type=hybrid location~Milton Keynes salary_min>=38000
saved cashier positions => list jobs status=saved title~cashier
status of Northgate Rail application => lookup jobs *~Northgate Rail
on-site network administrator roles Cork => list jobs remote_type=onsite title~network administrator location~Cork
total companies => count companies
applications february => list jobs status>=applied status@february
How many physiotherapist jobs do I have in Stoke-on-Trent? => count jobs title~physiotherapist location~Stoke-on-Trent
Which jobs have I applied for this week? => list jobs status>=applied status@this_week
What does the job at Fennimore Hydro pay? => lookup jobs *~Fennimore Hydro
Show me all the positions where I'm currently interviewing. => list jobs status=interviewing
Which jobs in Aberdeen pay more than 45k? => list jobs location~Aberdeen salary_min>=45001
What is Tunde Adebayo's email address? => lookup contacts *~Tunde Adebayo
Which company does Ingrid van der Meulen work for? => lookup contacts *~Ingrid van der Meulen
How many of my applications were rejected in november? => count jobs status=rejected status@november
List the jobs at Loom9 Analytics. => list jobs company~Loom9 Analytics
When did I apply to St. Brannock's Hospital? => lookup jobs *~St. Brannock's Hospital
Can you show me the contacts I have stored? => list contacts
Which jobs did I add last week? => list jobs created_at@last_week
Where is the job at Pike-Hollis Plumbing located? => lookup jobs *~Pike-Hollis Plumbing
Show me the four best paid economist jobs. => list jobs title~economist by salary_min desc limit 4
How many contacts do I have at Tamar Valley Trains? => count contacts company~Tamar Valley Trains
hiya, could you pull up the heating engineer jobs in Hull for me? ta => list jobs title~heating engineer location~Hull
my mum keeps nagging me, so how many jobs have turned me down so far?? => count jobs status=rejected
just got off shift... which train driver jobs have i saved again => list jobs status=saved title~train driver
ok so where do things stand with my application at Corvane Systems? => lookup jobs *~Corvane Systems
need to ring Bex Calloway in five mins, whats her number pls => lookup contacts *~Bex Calloway
morning! who do I know at Ridley, Marsh & Co? => list contacts company~Ridley, Marsh & Co
sorry to bother you again but how many jobs did i apply for yesterday => count jobs status>=applied status@yesterday
gimme the remote jobs that pay 50k or more please => list jobs remote_type=remote salary_min>=50000
feeling a bit flush with hope today lol, show me the jobs where I've got an offer => list jobs status=offer
cant do a long commute with my knee, so just the remote interpreter jobs thanks => list jobs remote_type=remote title~interpreter
Jobcentre wants a figure: how many applications did I send in april? => count jobs status>=applied status@april
hey can u show me every document ive got on here => list documents
right, kettle's on, let's see the jobs i added this month => list jobs created_at@this_month
lost track a bit, how many companies are in here now? => count companies
would you mind showing me the hybrid junior analyst roles in Bath? cheers => list jobs remote_type=hybrid title~junior analyst location~Bath
so which jobs knocked me back this week then => list jobs status=rejected status@this_week
architect jobs in Sheffield => list jobs title~architect location~Sheffield
remote tax adviser positions => list jobs remote_type=remote title~tax adviser
roofer jobs Wolverhampton => list jobs title~roofer location~Wolverhampton
barista roles at Copper & Crumb => list jobs title~barista company~Copper & Crumb
hybrid jobs min 45k => list jobs remote_type=hybrid salary_min>=45000
jobs rejected last month => list jobs status=rejected status@last_month
jobs applied to this week => list jobs status>=applied status@this_week
phone number Niamh O'Rourke => lookup contacts *~Niamh O'Rourke
contacts at Halden-Pryce => list contacts company~Halden-Pryce
all my cover letters => list documents kind=cover_letter
onsite postman jobs Stoke-on-Trent => list jobs remote_type=onsite title~postman location~Stoke-on-Trent
list of companies => list companies
speech therapist jobs over 38k => list jobs title~speech therapist salary_min>=38001
positions at Loft 27 => list jobs company~Loft 27
How many jobs did I apply to in March? => count jobs status>=applied status@march
What is Tobias Venn-Hartley's email address? => lookup contacts *~Tobias Venn-Hartley
How many contacts do I have? => count contacts
When did I apply for the job at Ashgrove Trust? => lookup jobs *~Ashgrove Trust
What does the role at Slate & Batten Ltd pay? => lookup jobs *~Slate & Batten Ltd
How many jobs in Norwich pay at least 32,000? => count jobs location~Norwich salary_min>=32000
Show me the remote jobs that rejected me. => list jobs status=rejected remote_type=remote
Who do I know at Meridian 9 Events? => list contacts company~Meridian 9 Events
Show me the three best paid jobs in Aberystwyth. => list jobs location~Aberystwyth by salary_min desc limit 3
How many documents do I have? => count documents
Which landscape architect jobs have I saved? => list jobs status=saved title~landscape architect
Where is the position at Okonkwo Partners based? => lookup jobs *~Okonkwo Partners
Which company does Priya Raghunathan work for? => lookup contacts *~Priya Raghunathan
hey, can you show me the barista jobs in brighton pls => list jobs title~barista location~brighton
hiya, just wondering how many jobs ive applied to so far?? => count jobs status>=applied
ok so my wife's asking - how many job offers have i actually got => count jobs status=offer
morning! pull up all the postie jobs in Inverness would you => list jobs title~postie location~Inverness
gonna ring her in a sec, whats Gwen Llewellyn-Price's number => lookup contacts *~Gwen Llewellyn-Price
sorry to be a pain but which jobs turned me down yesterday => list jobs status=rejected status@yesterday
remind me where the job at Teasel & Thorne stands, ta => lookup jobs *~Teasel & Thorne
right, kettle's on, lets see the hybrid architect jobs in York => list jobs remote_type=hybrid title~architect location~York
need it for the job centre: how many jobs did I apply to last month => count jobs status>=applied status@last_month
quick one, whats the email of Dafydd ap Rhys thx => lookup contacts *~Dafydd ap Rhys
do me a favour n show the roofing jobs that pay more than 35k => list jobs title~roofing salary_min>=35001
just show me every contact i've got at Pemberton Quill LLP, cheers => list contacts company~Pemberton Quill LLP
lol how many rejections did i get this week => count jobs status=rejected status@this_week
my laptop died so im on my phone, can i see my documents? => list documents
please please tell me what the job at Lantern House pays => lookup jobs *~Lantern House
oi mate, how many companies have i got in here now => count companies
remote psychologist jobs => list jobs remote_type=remote title~psychologist
crane operator jobs in Grimsby => list jobs title~crane operator location~Grimsby
saved florist jobs => list jobs status=saved title~florist
jobs at Holloway & Pike => list jobs company~Holloway & Pike
lab technician positions paying at least 32k => list jobs title~lab technician salary_min>=32000
hybrid jobs in Milton Keynes => list jobs remote_type=hybrid location~Milton Keynes
contacts at Brackenfield Assurance => list contacts company~Brackenfield Assurance
phone number Priya Ramaswamy => lookup contacts *~Priya Ramaswamy
jobs that rejected me in january => list jobs status=rejected status@january
onsite music teacher roles => list jobs remote_type=onsite title~music teacher
tour guide jobs i applied to => list jobs status>=applied title~tour guide
best paid remote job => list jobs remote_type=remote by salary_min desc limit 1
salary of the job at Corrigan-Voss Labs => lookup jobs *~Corrigan-Voss Labs
Which positions in Stoke-on-Trent have I saved? => list jobs status=saved location~Stoke-on-Trent
What is Declan O'Mahony's phone number? => lookup contacts *~Declan O'Mahony
When did I apply for the job at Tidewell Diagnostics? => lookup jobs *~Tidewell Diagnostics
How many lab technician jobs in Dundee did I apply to? => count jobs status>=applied title~lab technician location~Dundee
Show me the onsite crane operator jobs that pay more than 45k. => list jobs remote_type=onsite title~crane operator salary_min>=45001
How many contacts do I have at Van der Meulen Lifting? => count contacts company~Van der Meulen Lifting
Which jobs rejected me in February? => list jobs status=rejected status@february
What does the position at Studio 88 Music pay? => lookup jobs *~Studio 88 Music
Can you list all my companies? => list companies
What are the three best paid psychologist jobs? => list jobs title~psychologist by salary_min desc limit 3
Where is the job at Old Lantern Walks located? => lookup jobs *~Old Lantern Walks
Who does Ngozi Adeyemi-Clarke work for? => lookup contacts *~Ngozi Adeyemi-Clarke
Which jobs have I accepted? => list jobs status=accepted
hiya, my sister keeps nagging me lol - how many jobs have i got saved in total? => count jobs status=saved
could u pull up the hybrid insurance clerk jobs pls, got ten mins before the bus => list jobs remote_type=hybrid title~insurance clerk
Sorry to bother you again, but what's Marguerite Fennimore's email? I've lost the post-it. => lookup contacts *~Marguerite Fennimore
right, kettle's on, let's see the florist jobs in Bury St Edmunds => list jobs title~florist location~Bury St Edmunds
morning! whats happening with the job at Petal & Twine, cant remember where that one stands => lookup jobs *~Petal & Twine
job centre wants a number by noon... how many positions did i apply for last week?? => count jobs status>=applied status@last_week
ok be honest with me, how many rejections did i get last month => count jobs status=rejected status@last_month
Just come down for my break, mate. Show us the crane operator jobs in Immingham would ya => list jobs title~crane operator location~Immingham
hey there, when you've got a sec, which music teacher jobs did i apply to in september? => list jobs status>=applied title~music teacher status@september
thanks so much!! now show me all my contacts at Kestrel House Clinic pls => list contacts company~Kestrel House Clinic
ugh my rent's gone up, so just show me the jobs that pay at least 38,000 please => list jobs salary_min>=38000
um how many documents have i got in here altogether? => count documents
bad back so i can't commute, pls show the remote jobs i've saved => list jobs status=saved remote_type=remote
quick one before my lesson starts, what were the 4 newest jobs again => list jobs by created_at desc limit 4
Evening. Trying to sort out my spreadsheet, which jobs did I withdraw from this month? => list jobs status=withdrawn status@this_month
pretty please tell me how many tour guide jobs in York i added this week, i've totally lost count => count jobs title~tour guide location~York created_at@this_week
chemist jobs in Runcorn => list jobs title~chemist location~Runcorn
remote copywriter jobs => list jobs remote_type=remote title~copywriter
forklift operator jobs Daventry => list jobs title~forklift operator location~Daventry
saved jobs => list jobs status=saved
jobs over 45k => list jobs salary_min>=45001
contacts at Northgate-Hale Dental => list contacts company~Northgate-Hale Dental
4 best paid jobs => list jobs by salary_min desc limit 4
Moira Abernethy phone number => lookup contacts *~Moira Abernethy
hybrid product designer roles => list jobs remote_type=hybrid title~product designer
onsite teacher positions St Albans => list jobs remote_type=onsite title~teacher location~St Albans
status of the Quillmere job => lookup jobs *~Quillmere
How many jobs have I applied for this month? => count jobs status>=applied status@this_month
Which sales clerk positions in Stoke-on-Trent have I saved? => list jobs status=saved title~sales clerk location~Stoke-on-Trent
What is Tobias Okonjo-Reid's email address? => lookup contacts *~Tobias Okonjo-Reid
When did I apply to Larch 9 Labs? => lookup jobs *~Larch 9 Labs
How many contacts do I have at Brackwater Logistics? => count contacts company~Brackwater Logistics
List the jobs I am currently interviewing for. => list jobs status=interviewing
Show me all the remote jobs that pay at least 38,000. => list jobs remote_type=remote salary_min>=38000
What does the job at Van der Wiel Interiors pay? => lookup jobs *~Van der Wiel Interiors
Which company does Priya Castellane work for? => lookup contacts *~Priya Castellane
How many jobs have I withdrawn from? => count jobs status=withdrawn
Show me all the companies I have stored. => list companies
How many of my jobs are in Kirkcaldy? => count jobs location~Kirkcaldy
What are my three highest paying jobs? => list jobs by salary_min desc limit 3
How many dental assistant jobs have I been rejected for? => count jobs status=rejected title~dental assistant
hiya, could you pull up the dental assistant jobs in Wrexham for me please => list jobs title~dental assistant location~Wrexham
ok so my partner keeps asking, how many jobs did i actually apply to last week?? => count jobs status>=applied status@last_week
right, need to ring her in a sec, whats Glenda Fairweather's number => lookup contacts *~Glenda Fairweather
Morning! Just having my coffee, mind showing me the jobs that said no this week? => list jobs status=rejected status@this_week
hey remind me where things stand with the job at Oddfellow Copy Co => lookup jobs *~Oddfellow Copy Co
lemme see every teacher job I've saved pls => list jobs status=saved title~teacher
quick one, how many ppl do i have in my contacts now => count contacts
sorry to bother you again but where is that Tamsin & Rowe job located? => lookup jobs *~Tamsin & Rowe
job centre wants a figure, so how many applications have i sent off this month => count jobs status>=applied status@this_month
go on then, show us the forklift jobs paying 28k or more => list jobs title~forklift salary_min>=28000
who do I know over at Hexley Polymers? prepping for a call => list contacts company~Hexley Polymers
Would you be so kind as to list the hybrid jobs I've got in Aberystwyth, thanks a bunch => list jobs remote_type=hybrid location~Aberystwyth
umm when was it that i applied to Sprocket42 again? => lookup jobs *~Sprocket42
gimme the 6 latest jobs i put in here please => list jobs by created_at desc limit 6
bit of a tidy-up day today so show me all the documents i've got in here => list documents
herdsman jobs in Skibbereen => list jobs title~herdsman location~Skibbereen
remote roles at Brack & Tolley => list jobs remote_type=remote company~Brack & Tolley
positions at Ystwyth Dental => list jobs company~Ystwyth Dental
jobs rejected this month => list jobs status=rejected status@this_month
bus mechanic jobs => list jobs title~bus mechanic
jobs paying at least 45k => list jobs salary_min>=45000
contacts at Pen-y-Bryn Dairies => list contacts company~Pen-y-Bryn Dairies
hotel manager roles in Llandudno => list jobs title~hotel manager location~Llandudno
onsite jobs in Wick => list jobs remote_type=onsite location~Wick
five newest jobs => list jobs by created_at desc limit 5
Oona McGillivray phone number => lookup contacts *~Oona McGillivray
jobs I withdrew from => list jobs status=withdrawn
hybrid PR consultant positions => list jobs remote_type=hybrid title~PR consultant
What does the job at Tarrant Coaches pay? => lookup jobs *~Tarrant Coaches
How many people do I have in my contacts? => count contacts
When did I apply to Studio 41? => lookup jobs *~Studio 41
What's the email address of Femi Adeyinka-Rowe? => lookup contacts *~Femi Adeyinka-Rowe
Which jobs did I get an offer for? => list jobs status>=offer
How many remote jobs did I add this week? => count jobs remote_type=remote created_at@this_week
Show me the three best paid jobs. => list jobs by salary_min desc limit 3
How many job rejections did I get last month? => count jobs status=rejected status@last_month
Who do I know at Hollis, Vane & Sons? => list contacts company~Hollis, Vane & Sons
Can you list the dentist jobs in Nairn that pay more than 60k? => list jobs title~dentist location~Nairn salary_min>=60001
Where does Siobhán Trask work? => lookup contacts *~Siobhán Trask
How many cover letters do I have stored here? => count documents kind=cover_letter
Which jobs were added in February? => list jobs created_at@february
hiya, could you pull up the jobs i've applied to this week? my adviser at the jobcentre wants to see them => list jobs status>=applied status@this_week
right then, how many jobs knocked me back last week?? => count jobs status=rejected status@last_week
morning! whats happening with my application to Gorse Hill Garage, where does it stand => lookup jobs *~Gorse Hill Garage
sorry to be a pain but what was Len Abernathy-Pike's number again => lookup contacts *~Len Abernathy-Pike
ok so which jobs pay 38k or more, kids are expensive lol => list jobs salary_min>=38000
hey can u show me all the shop assistant jobs in Todmorden pls => list jobs title~shop assistant location~Todmorden
got a coffee and five minutes, so let me see the jobs I added last week please => list jobs created_at@last_week
gimme the ten newest jobs would you => list jobs by created_at desc limit 10
i forget where that job at Fallow & Finch is based, can you tell me? => lookup jobs *~Fallow & Finch
please please show me every hybrid job in Cork, I can't do five days in an office any more => list jobs remote_type=hybrid location~Cork
how many documents have i got in here by now, feels like loads => count documents
thanks for earlier! now show me the jobs that turned me down in January => list jobs status=rejected status@january
do me a favour and list everybody I know at Zephyr 3D, I'm off to a trade fair => list contacts company~Zephyr 3D
hmm which jobs did i actually apply for today => list jobs status>=applied status@today
cheers mate, and which job did I accept? => list jobs status=accepted
"""

GERMAN = """
Schweißer Jobs in Wanne-Eickel => list jobs title~Schweißer location~Wanne-Eickel
Kontakte bei Kanzlei Hüttenrauch => list contacts company~Kanzlei Hüttenrauch
Telefonnummer Annegret von der Lühe => lookup contacts *~Annegret von der Lühe
Remote-Stellen als Grafikdesigner => list jobs remote_type=remote title~Grafikdesigner
Bewerbungen diese Woche => list jobs status>=applied status@this_week
Anzahl Anschreiben => count documents kind=cover_letter
Jobs ab 42.000 Euro => list jobs salary_min>=42000
hybride Stellen in Bad Oldesloe => list jobs remote_type=hybrid location~Bad Oldesloe
Jobs mit Status gespeichert => list jobs status=saved
Stand bei Hafenlogistik 7 => lookup jobs *~Hafenlogistik 7
meine Firmen => list companies
Stellen Pflegefachkraft Münster vor Ort => list jobs title~Pflegefachkraft location~Münster remote_type=onsite
Absagen im November => list jobs status=rejected status@november
Wie viele Bewerbungen habe ich letzten Monat verschickt? => count jobs status>=applied status@last_month
Welche Stellen sind gerade in der Interviewphase? => list jobs status=interviewing
Zeig mir bitte alle Stellen als Grundschullehrerin in Tübingen. => list jobs title~Grundschullehrerin location~Tübingen
Wann habe ich mich bei der Metallbau Ostrowski GmbH beworben? => lookup jobs *~Metallbau Ostrowski GmbH
Wie lautet die E-Mail-Adresse von Jost Feddersen? => lookup contacts *~Jost Feddersen
Bei welcher Firma arbeitet Milena Karačić? => lookup contacts *~Milena Karačić
Welche Jobs zahlen mindestens 36.000 Euro? => list jobs salary_min>=36000
Welche Stellen habe ich gestern hinzugefügt? => list jobs created_at@yesterday
Wie viele Firmen habe ich insgesamt eingetragen? => count companies
Welche Kontakte habe ich am Klinikum Lindenhöhe? => list contacts company~Klinikum Lindenhöhe
Wie hoch ist das Gehalt bei der Stelle von Nordlicht-Medien 3D? => lookup jobs *~Nordlicht-Medien 3D
Welche drei Stellen sind am besten bezahlt? => list jobs by salary_min desc limit 3
Wie viele Stellen habe ich in Gelsenkirchen? => count jobs location~Gelsenkirchen
Welche Anschreiben habe ich diesen Monat hinzugefügt? => list documents kind=cover_letter created_at@this_month
Für welche Stellen habe ich ein Angebot bekommen? => list jobs status>=offer
Wo ist die Stelle beim Kinderhaus Pusteblume? => lookup jobs *~Kinderhaus Pusteblume
moin, zeig mal die Staplerfahrer Jobs in Duisburg => list jobs title~Staplerfahrer location~Duisburg
sag mal wie viele absagen hab ich letzte woche kassiert? => count jobs status=rejected status@last_week
Entschuldigung, ich finde meinen Zettel nicht mehr, wie ist denn die Telefonnummer von Roswitha Kämmerling? => lookup contacts *~Roswitha Kämmerling
hey kannste mir kurz alle Remote Jobs auflisten? danke!! => list jobs remote_type=remote
fürs Arbeitsamt brauch ich die Zahl: auf wie viele Stellen hab ich mich im März beworben? => count jobs status>=applied status@march
ich sitz grad im Bus, wie stehts eigentlich bei Gebr. Tschirner? => lookup jobs *~Gebr. Tschirner
Guten Abend, wären Sie so freundlich, mir alle meine Kontakte zu zeigen? => list contacts
kurze frage: welche kontakte hab ich nochmal bei Hartwig, Pohl & Partner => list contacts company~Hartwig, Pohl & Partner
mein Mann fragt ständig, also was zahlt die Stelle beim Seniorenstift Abendruh? => lookup jobs *~Seniorenstift Abendruh
bitte mal nur die Jobs mit mehr als 50k, sonst lohnt sich der Umzug nicht => list jobs salary_min>=50001
ok kaffee steht, her mit den 3 neuesten Jobs => list jobs by created_at desc limit 3
ähm welche Stellen hab ich heut hinzugefügt, bin total durcheinander => list jobs created_at@today
los gehts, zeig die Jobs wo ich grad in der Interviewrunde bin => list jobs status=interviewing
Könnten Sie mir bitte sagen, wie viele Dokumente ich hier habe? Vielen Dank im Voraus! => count documents
hab die mail verschlampt.. wie war die emailadresse von Cem Yıldırım-Voss => lookup contacts *~Cem Yıldırım-Voss
so feierabend, mal gucken: hybride Jobs als Illustratorin in Leipzig bitte => list jobs remote_type=hybrid title~Illustratorin location~Leipzig
Tischler Stellen Bamberg => list jobs title~Tischler location~Bamberg
Stellen bei Hagedorn & Söhne => list jobs company~Hagedorn & Söhne
Absagen diesen Monat => list jobs status=rejected status@this_month
Telefonnummer Annegret von Thülen => lookup contacts *~Annegret von Thülen
Ansprechpartner bei Wiesgrund Küchen => list contacts company~Wiesgrund Küchen
Jobs als Busfahrer in Göttingen => list jobs title~Busfahrer location~Göttingen
Remote-Jobs ab 50.000 Euro => list jobs remote_type=remote salary_min>=50000
alle Anschreiben => list documents kind=cover_letter
Bewerbungen letzte Woche => list jobs status>=applied status@last_week
Stand Bewerbung Nordlicht-Bau 24 => lookup jobs *~Nordlicht-Bau 24
hybride Stellen in Fürth => list jobs remote_type=hybrid location~Fürth
die 10 neuesten Stellen => list jobs by created_at desc limit 10
Data Analyst Jobs Rostock => list jobs title~Data Analyst location~Rostock
E-Mail Yildiz Kocaman-Reuter => lookup contacts *~Yildiz Kocaman-Reuter
Stellen mit Status Angebot => list jobs status=offer
Welche Kontakte habe ich bisher eingetragen? => list contacts
Wann habe ich mich bei Ödinger Feinback beworben? => lookup jobs *~Ödinger Feinback
Wie lautet die E-Mail-Adresse von Henrike Plaß? => lookup contacts *~Henrike Plaß
Zeig mir alle Stellen in Bad Salzuflen, die mindestens 38.000 Euro zahlen. => list jobs location~Bad Salzuflen salary_min>=38000
Wie viele Leute kenne ich bei Brunnhuber Logistik? => count contacts company~Brunnhuber Logistik
Was zahlt die Stelle bei Mertens & Dörr? => lookup jobs *~Mertens & Dörr
Welche Firmen habe ich letzten Monat hinzugefügt? => list companies created_at@last_month
Bei welcher Firma arbeitet Tjark Behrends-Olufs? => lookup contacts *~Tjark Behrends-Olufs
Wie viele Anschreiben sind bei mir hinterlegt? => count documents kind=cover_letter
Welche Jobs haben den Status Vorstellungsgespräch? => list jobs status=interviewing
Welche Stellen als Koch habe ich in St. Pölten? => list jobs title~Koch location~St. Pölten
Wo steht meine Bewerbung bei Grünzweig 3D? => lookup jobs *~Grünzweig 3D
Welche vier Stellen auf meiner Liste sind am besten bezahlt? => list jobs by salary_min desc limit 4
Welche Jobs als Office Manager sind komplett vor Ort? => list jobs remote_type=onsite title~Office Manager
moin, wie viele jobs hab ich hier eigentlich schon drin? => count jobs
sag mal, wie ist die Handynummer von Uschi Zwickl? muss die gleich anrufen => lookup contacts *~Uschi Zwickl
zeig ma bitte die remote Jobs für Buchhalter, danke dir! => list jobs remote_type=remote title~Buchhalter
mein Freund nervt mich grad: wie viele Absagen waren's letzte Woche? => count jobs status=rejected status@last_week
ähm, wo war nochmal der Job bei Holzbau Kröll? hab's total vergessen => lookup jobs *~Holzbau Kröll
hi, kannst du mir kurz alle Stellen anzeigen, die mehr als 55k bringen? => list jobs salary_min>=55001
bin grad am Sortieren: welche Jobs stehen bei mir auf angenommen? => list jobs status=accepted
guten Morgen, bitte einmal die Jobs in Wuppertal, ich plan grad meine Woche => list jobs location~Wuppertal
bräucht mal schnell die Mail vom Ferdl Obermoser, find den Zettel nimmer => lookup contacts *~Ferdl Obermoser
so, Kaffee ist da – welche Bewerbungen hab ich gestern rausgeschickt? => list jobs status>=applied status@yesterday
wen kenn ich da nochmal bei Café Süßkind & Co? wär ja praktisch => list contacts company~Café Süßkind & Co
die Vorlesung fängt gleich an, zeig mir mal schnell alle Stellen als Praktikant in Jena => list jobs title~Praktikant location~Jena
wann hab ich mich nochmal bei Taubenreuther 2000 beworben?? die wollen das wissen => lookup jobs *~Taubenreuther 2000
fürs Amt: wie viele Bewerbungen hab ich diesen Monat gemacht => count jobs status>=applied status@this_month
wieviele dokumente liegen hier inzwischen rum => count documents
sorry falls ich nerve, nur kurz die Jobs die ich im August hinzugefügt hab bitte => list jobs created_at@august
Elektriker Jobs Kassel => list jobs title~Elektriker location~Kassel
Absagen letzte Woche => list jobs status=rejected status@last_week
Kontakte bei Möhrle & Co. => list contacts company~Möhrle & Co
Homeoffice Stellen Marketing Manager => list jobs remote_type=remote title~Marketing Manager
Handynummer Wiebke von Rautenfeld => lookup contacts *~Wiebke von Rautenfeld
Bewerbungen im März => list jobs status>=applied status@march
gespeicherte Stellen Freiburg => list jobs status=saved location~Freiburg
Jobs ab 45000 € => list jobs salary_min>=45000
die 3 bestbezahlten Jobs => list jobs by salary_min desc limit 3
Stand Rosen-Apotheke Bad Tölz => lookup jobs *~Rosen-Apotheke Bad Tölz
Fahrradkurier Jobs in Leipzig => list jobs title~Fahrradkurier location~Leipzig
hybride Stellen Hamburg => list jobs remote_type=hybrid location~Hamburg
meine Kontakte => list contacts
Wie viele Bewerbungen habe ich diesen Monat verschickt? => count jobs status>=applied status@this_month
Wann habe ich mich bei der Kita Wirbelwind 7 beworben? => lookup jobs *~Kita Wirbelwind 7
Welche Stellen als Erzieherin in Mannheim habe ich gespeichert? => list jobs status=saved title~Erzieherin location~Mannheim
Wie lautet die E-Mail-Adresse von Dragan Petrović? => lookup contacts *~Dragan Petrović
Was zahlt die Stelle bei Strom+Licht Hebestreit? => lookup jobs *~Strom+Licht Hebestreit
Welche Jobs sind gerade in der Interviewphase? => list jobs status=interviewing
Wie viele Kontakte habe ich bei Seeblick Resorts? => count contacts company~Seeblick Resorts
Zeig mir alle Vor-Ort-Stellen in Graz. => list jobs remote_type=onsite location~Graz
Welche Jobs zahlen mehr als 60.000 Euro im Jahr? => list jobs salary_min>=60001
Wie viele Absagen habe ich im Oktober bekommen? => count jobs status=rejected status@october
Für welche Firma arbeitet Ayşe Demirtaş-Kohl? => lookup contacts *~Ayşe Demirtaş-Kohl
Wo ist die Stelle bei Prüfwerk 4.0? => lookup jobs *~Prüfwerk 4.0
Welche fünf Jobs habe ich zuletzt hinzugefügt? => list jobs by created_at desc limit 5
Wie viele Dokumente habe ich abgelegt? => count documents
Welche Firmen stehen in meiner Liste? => list companies
Bei welchen Jobs habe ich letzten Monat meine Bewerbung zurückgezogen? => list jobs status=withdrawn status@last_month
Zeig mir alle Remote-Jobs als Softwaretester mit mindestens 52k. => list jobs remote_type=remote title~Softwaretester salary_min>=52000
moin, wie viele jobs hab ich eigentlich insgesamt drin? => count jobs
sag mal, wie steht's denn bei Zwickel & Söhne? => lookup jobs *~Zwickel & Söhne
meine frau fragt schon wieder.. bei wie vielen stellen hab ich mich diese woche beworben => count jobs status>=applied status@this_week
kannst du mir bitte schnell die tel nr von Herrn Ostrowski raussuchen, bin grad unterwegs => lookup contacts *~Ostrowski
hallöchen :) zeig mir mal bitte die rezeptionist jobs in salzburg => list jobs title~rezeptionist location~salzburg
puh, zeig mir bitte mal die absagen von letztem monat, ich will das endlich abhaken => list jobs status=rejected status@last_month
ich muss wg. der kinder daheim bleiben, zeig mir also bitte die homeoffice jobs => list jobs remote_type=remote
hey, wen kenn ich nochmal bei der Adler-Apotheke Süd? => list contacts company~Adler-Apotheke Süd
servus, i tät gern die jobs in Klagenfurt sehn, dank dir => list jobs location~Klagenfurt
miete ist schon wieder rauf, zeig mir bitte die zehn bestbezahlten jobs => list jobs by salary_min desc limit 10
welche jobs hab ich gestern eingetragen, war so müde dass ichs nimmer weiß => list jobs created_at@yesterday
Guten Abend, könnten Sie mir bitte sagen, was die Stelle bei Brandt Voss Kommunikation zahlt? => lookup jobs *~Brandt Voss Kommunikation
ähm wie viele anschreiben hab ich jetzt eigentlich schon? => count documents kind=cover_letter
so, feierabend! zeig mir noch die jobs wo ich ein angebot bekommen habe bitte => list jobs status>=offer
sorry nochmal ich, die mailadresse von der Frau Hinterhuber bräucht ich => lookup contacts *~Hinterhuber
für weniger steh ich nicht mehr auf: zeig mal alle jobs ab 40k in Nürnberg => list jobs salary_min>=40000 location~Nürnberg
Jobs in Bad Oeynhausen => list jobs location~Bad Oeynhausen
Friseurin in Husum => list jobs title~Friseurin location~Husum
Kontakte bei Hölzl & Söhne => list contacts company~Hölzl & Söhne
Anschreiben => list documents kind=cover_letter
gemerkte Stellen Bibliothekarin => list jobs status=saved title~Bibliothekarin
Bauingenieur remote => list jobs remote_type=remote title~Bauingenieur
Lkw-Fahrer ab 36000 => list jobs title~Lkw-Fahrer salary_min>=36000
Telefonnummer Wiebke Tjarks => lookup contacts *~Wiebke Tjarks
Stand Bewerbung Backhaus Kröger 24 => lookup jobs *~Backhaus Kröger 24
die 3 bestbezahlten Stellen => list jobs by salary_min desc limit 3
Projektleiter hybrid Gütersloh => list jobs remote_type=hybrid title~Projektleiter location~Gütersloh
zurückgezogene Bewerbungen => list jobs status=withdrawn
alle Kontakte => list contacts
Wie viele Bewerbungen habe ich diesen Monat abgeschickt? => count jobs status>=applied status@this_month
Welche Stellen habe ich gestern eingetragen? => list jobs created_at@yesterday
Wie lautet die E-Mail-Adresse von Annegret von der Heyde? => lookup contacts *~Annegret von der Heyde
Wann habe ich mich bei Spedition Querfurth beworben? => lookup jobs *~Spedition Querfurth
Wie hoch ist das Gehalt bei der Moorblick eG? => lookup jobs *~Moorblick eG
Bei welcher Firma arbeitet Tomasz Wróblewski? => lookup contacts *~Tomasz Wróblewski
Wen kenne ich bei der Zweygart Biotech GmbH? => list contacts company~Zweygart Biotech GmbH
Zeig mir alle Stellen als Verkäuferin in Neustadt an der Aisch. => list jobs title~Verkäuferin location~Neustadt an der Aisch
Wie viele Absagen habe ich im November bekommen? => count jobs status=rejected status@november
Welche Homeoffice-Stellen zahlen mehr als 50.000 Euro? => list jobs remote_type=remote salary_min>=50001
Für welche Stellen bin ich gerade im Vorstellungsgespräch? => list jobs status=interviewing
Wie viele Dokumente habe ich insgesamt hochgeladen? => count documents
Welche fünf Stellen habe ich zuletzt angelegt? => list jobs by created_at desc limit 5
Wo ist die Stelle bei Pfeiffer-Ützel Tiefbau? => lookup jobs *~Pfeiffer-Ützel Tiefbau
Kannst du mir alle Firmen auflisten? => list companies
Wie viele Stellen als Laborleiterin in Greifswald habe ich auf der Liste? => count jobs title~Laborleiterin location~Greifswald
moin, wie viele bewerbungen hab ich letzte woche rausgehauen? => count jobs status>=applied status@last_week
sag mal, wo steh ich eigentlich grad bei Salon Haarscharf 21 => lookup jobs *~Salon Haarscharf 21
hey kannste mir mal die nummer von Kevin Schmalstieg geben, muss den gleich anrufen => lookup contacts *~Kevin Schmalstieg
so, feierabend... zeig mal alle jobs in Castrop-Rauxel => list jobs location~Castrop-Rauxel
bin grad an der raststätte, zeig mir mal die berufskraftfahrer stellen mit mindestens 38k => list jobs title~berufskraftfahrer salary_min>=38000
Guten Abend, ich bräuchte bitte kurz die Liste meiner Dokumente, danke! => list documents
puh, was hab ich diese woche alles an absagen kassiert => list jobs status=rejected status@this_week
Bitte einmal alle meine Anschreiben zeigen, ich verlier hier langsam den Überblick => list documents kind=cover_letter
ähm wie war nochmal die mail von der frau Öztürk-Lindner => lookup contacts *~Öztürk-Lindner
meine mutter nervt schon wieder, wie viele absagen hab ich denn jetzt insgesamt => count jobs status=rejected
hallöchen :) was hab ich an hybriden stellen in Bietigheim-Bissingen? => list jobs remote_type=hybrid location~Bietigheim-Bissingen
kurze Frage zwischendurch: wann hab ich mich nochmal bei der Stadtbücherei Plön beworben? => lookup jobs *~Stadtbücherei Plön
servus, i bräucht schnell die drei bestbezahlten jobs in Rosenheim => list jobs location~Rosenheim by salary_min desc limit 3
aus reiner neugier, wie viele firmen stehn hier eigentlich drin => count companies
Kaffee ist leer, also los: welche Bauleiter-Stellen stehen noch auf "gemerkt"? => list jobs title~Bauleiter status=saved
Mein Chef guckt grad nicht, auf welche Jobs hab ich mich gestern beworben? => list jobs status>=applied status@yesterday
Bäcker Jobs Lüneburg => list jobs title~Bäcker location~Lüneburg
Absagen März => list jobs status=rejected status@march
Telefonnummer Heidrun von der Aue => lookup contacts *~Heidrun von der Aue
Kontakte bei Grünwerk & Söhne => list contacts company~Grünwerk & Söhne
Stellen ab 42.000 € => list jobs salary_min>=42000
remote Softwareentwickler => list jobs remote_type=remote title~Softwareentwickler
Anzahl Bewerbungen letzte Woche => count jobs status>=applied status@last_week
gespeicherte Stellen Bad Oeynhausen => list jobs status=saved location~Bad Oeynhausen
Stand Pflegedienst Abendrot => lookup jobs *~Pflegedienst Abendrot
Hybrid Redakteur Erfurt => list jobs remote_type=hybrid title~Redakteur location~Erfurt
Firmenliste => list companies
Mail Özlem Karadağ => lookup contacts *~Özlem Karadağ
Wie viele Bewerbungen habe ich im Oktober verschickt? => count jobs status>=applied status@october
Wann habe ich mich bei Zweistern Verlag beworben? => lookup jobs *~Zweistern Verlag
Welche Stellen in Görlitz habe ich in meiner Liste? => list jobs location~Görlitz
Bei welcher Firma arbeitet Bernd-Michael Thoma? => lookup contacts *~Bernd-Michael Thoma
Wie viele Unternehmen habe ich insgesamt erfasst? => count companies
Zeige mir alle Stellen als Landschaftsgärtner, die mehr als 35.000 Euro zahlen. => list jobs title~Landschaftsgärtner salary_min>=35001
Wie viel zahlt die Stelle bei Callhaus 360? => lookup jobs *~Callhaus 360
Welche Absagen habe ich diese Woche bekommen? => list jobs status=rejected status@this_week
Wen kenne ich bei der Nordlicht IT-Service GmbH? => list contacts company~Nordlicht IT-Service GmbH
Wie lautet die E-Mail-Adresse von Annegret Süßmilch? => lookup contacts *~Annegret Süßmilch
Kannst du mir die fünf neuesten Stellen anzeigen? => list jobs by created_at desc limit 5
Auf welche Stellen habe ich mich gestern beworben? => list jobs status>=applied status@yesterday
Wie viele Dokumente sind gespeichert? => count documents
Bei welchen Stellen laufen gerade Vorstellungsgespräche? => list jobs status=interviewing
Welche Stellen als Personalreferentin habe ich letzten Monat hinzugefügt? => list jobs title~Personalreferentin created_at@last_month
Wie viele Stellen vor Ort habe ich in Zwickau? => count jobs remote_type=onsite location~Zwickau
moin, zeig mal bitte die Jobs als Altenpfleger in Husum => list jobs title~Altenpfleger location~Husum
sorry dass ich nochmal nerve, aber wie war die nummer von Jörg Pfannenstiel? => lookup contacts *~Jörg Pfannenstiel
das Amt will das wissen: wieviele Bewerbungen hab ich diesen Monat geschrieben => count jobs status>=applied status@this_month
hab grad pause, kannst du mir schnell sagen wie's bei Backstube Krümel & Co. steht => lookup jobs *~Backstube Krümel & Co
Hallo, ich bräuchte mal alle Jobs im Homeoffice ab 50k, danke dir => list jobs remote_type=remote salary_min>=50000
puh wie viele absagen sinds jetzt eigentlich insgesamt?? => count jobs status=rejected
ey zeig ma was ich bei Telefix24 an stellen drin hab => list jobs company~Telefix24
Guten Abend, wären Sie so nett und zeigen mir meine Kontakte? => list contacts
meine frau fragt grad: wieviele angebote hab ich auf dem tisch => count jobs status=offer
Kurze Frage zwischendurch, wann hab ich mich nochmal bei Gärtnerei Rosenthal-Weiß beworben? => lookup jobs *~Gärtnerei Rosenthal-Weiß
lass mal sehen welche jobs ich gestern eingetragen hab, bin noch nicht ganz wach => list jobs created_at@yesterday
bitte einmal die hybriden Stellen in Ulm, brauch das für nachher => list jobs remote_type=hybrid location~Ulm
Ich komm völlig durcheinander... was zahlt nochmal der Job bei Havelblatt? => lookup jobs *~Havelblatt
kannste mir mal die 4 bestbezahlten jobs in kassel raussuchen, danke => list jobs location~kassel by salary_min desc limit 4
hi du, wieviele anschreiben hab ich eigentlich schon in der ablage => count documents kind=cover_letter
so feierabend, jetzt noch fix die gespeicherten stellen als Lokalreporter bitte => list jobs status=saved title~Lokalreporter
Stellen als Hebamme in Bad Oeynhausen => list jobs title~Hebamme location~Bad Oeynhausen
Koch-Jobs in Rosenheim => list jobs title~Koch location~Rosenheim
Jobs bei Kröger & Söhne => list jobs company~Kröger & Söhne
hybride Stellen ab 42.000 Euro => list jobs remote_type=hybrid salary_min>=42000
Job-Absagen letzte Woche => list jobs status=rejected status@last_week
Anzahl Bewerbungen diesen Monat => count jobs status>=applied status@this_month
Kontakte bei Wachdienst Nord 24 => list contacts company~Wachdienst Nord 24
Telefonnummer Ayşe Brinkmann => lookup contacts *~Ayşe Brinkmann
E-Mail-Adresse Gundula von Treskow => lookup contacts *~Gundula von Treskow
Top 3 bestbezahlte Jobs als Kfz-Mechatroniker => list jobs title~Kfz-Mechatroniker by salary_min desc limit 3
gemerkte Stellen in Görlitz => list jobs status=saved location~Görlitz
Vor-Ort-Stellen Castrop-Rauxel => list jobs remote_type=onsite location~Castrop-Rauxel
alle Firmen => list companies
Remote-Jobs als Webdesignerin => list jobs remote_type=remote title~Webdesignerin
Auf wie viele Stellen habe ich mich im März beworben? => count jobs status>=applied status@march
Welche Jobs als Sekretärin in Bad Salzuflen zahlen mindestens 36.000 Euro? => list jobs title~Sekretärin location~Bad Salzuflen salary_min>=36000
Wann habe ich mich bei der Großküche Ebersbach beworben? => lookup jobs *~Großküche Ebersbach
Wie viel zahlt die Stelle beim Autohaus Pfennigschmidt? => lookup jobs *~Autohaus Pfennigschmidt
Wen kenne ich bei Lindgrün Medien? => list contacts company~Lindgrün Medien
Wie lautet die Handynummer von Jörg Nowak-Petersen? => lookup contacts *~Jörg Nowak-Petersen
Bei welcher Firma arbeitet Henrike Oduya? => lookup contacts *~Henrike Oduya
Wie viele Kontakte habe ich insgesamt? => count contacts
Zeig mir alle Stellen, bei denen gerade Vorstellungsgespräche laufen. => list jobs status=interviewing
In welcher Stadt ist die Stelle beim Geburtshaus Sonnenhügel? => lookup jobs *~Geburtshaus Sonnenhügel
Bitte liste die Jobs als Außendienstmitarbeiter in Neustadt an der Weinstraße auf. => list jobs title~Außendienstmitarbeiter location~Neustadt an der Weinstraße
Wie viele Firmen habe ich letzten Monat angelegt? => count companies created_at@last_month
Wie viele hybride Stellen habe ich in Osnabrück? => count jobs remote_type=hybrid location~Osnabrück
Welche Bewerbungen bei Brandl Sicherheit GmbH wurden abgelehnt? => list jobs status=rejected company~Brandl Sicherheit GmbH
moin, kannst du mir mal eben die Jobs als Koch auf Föhr raussuchen? danke => list jobs title~Koch location~Föhr
sag mal wie viele bewerbungen hab ich diese woche eigentlich rausgeschickt? meine frau fragt schon => count jobs status>=applied status@this_week
hallöchen, ich bräuchte mal schnell die nummer von Mandy Kretzschmar, mein handy liegt im spind => lookup contacts *~Mandy Kretzschmar
Bitte einmal die Stellen mit reinem Homeoffice zeigen, ich hab keine Lust mehr auf Pendeln => list jobs remote_type=remote
hey wie stehts eigentlich um meine Bewerbung bei Tischlein & Co KG? => lookup jobs *~Tischlein & Co KG
zeig ma die jobs als wachmann die mehr als 31000 zahlen, die miete wird teurer => list jobs title~wachmann salary_min>=31001
Ich weiß, ich frag ständig, aber: wie viele Absagen auf meine Bewerbungen hab ich diesen Monat kassiert? => count jobs status=rejected status@this_month
kurze frage vorm frühdienst, welche stellen als hebamme hab ich heute hinzugefügt? => list jobs title~hebamme created_at@today
so, kaffee steht bereit, dann zeig mir bitte mal die drei bestbezahlten stellen in Husum => list jobs location~Husum by salary_min desc limit 3
Mensch, wann hatte ich mich nochmal bei Pixelschubser 3000 beworben? Mein Gedächtnis ist ein Sieb => lookup jobs *~Pixelschubser 3000
Könntest du so lieb sein und mir meine Kontakte bei der Kanzlei Abels-Richter auflisten? => list contacts company~Kanzlei Abels-Richter
grüß dich, gib mir bitte die stellen die ich angenommen hab, mein vater glaubts mir sonst nicht => list jobs status=accepted
ich brauch fürs amt alle jobs auf die ich mich letzten monat beworben hab, bitte danke => list jobs status>=applied status@last_month
ähm was verdient man nochmal bei der stelle bei Reifen Zschocke?? => lookup jobs *~Reifen Zschocke
Servus, zeig mir doch bitte die Jobs bei der Brauerei Hintermoser, da wollt i scho immer hin => list jobs company~Brauerei Hintermoser
puh so viel papierkram, liste mir bitte alle meine dokumente auf => list documents
Klempner Stellen Kassel => list jobs title~Klempner location~Kassel
Jobs remote => list jobs remote_type=remote
Anzahl Bewerbungen März => count jobs status>=applied status@march
Kontakte bei Drögemüller & Söhne => list contacts company~Drögemüller & Söhne
Telefonnummer Wiebke Janßen => lookup contacts *~Wiebke Janßen
gespeicherte Jobs Bad Homburg => list jobs status=saved location~Bad Homburg
Physiotherapeut Stellen vor Ort => list jobs remote_type=onsite title~Physiotherapeut
Gehalt Stelle Nordwind 24 GmbH => lookup jobs *~Nordwind 24 GmbH
Stellen als Netzwerkadministrator Jena hybrid => list jobs remote_type=hybrid title~Netzwerkadministrator location~Jena
Welche Jobs in Oldenburg habe ich gespeichert? => list jobs status=saved location~Oldenburg
Wann habe ich mich bei der Praxis am Lindenhof beworben? => lookup jobs *~Praxis am Lindenhof
Zeig mir die Stellen, bei denen ich gerade in der Interviewphase bin. => list jobs status=interviewing
Wie lautet die E-Mail-Adresse von Cem Yıldırım? => lookup contacts *~Cem Yıldırım
Bei welcher Firma arbeitet Annegret von Stetten? => lookup contacts *~Annegret von Stetten
Welche Stellen als Übersetzerin zahlen mindestens 39.000 Euro? => list jobs title~Übersetzerin salary_min>=39000
Wie ist der Stand bei meiner Bewerbung bei Tarnow-Bahn? => lookup jobs *~Tarnow-Bahn
Zeige mir alle Jobs bei Kettler & Voß. => list jobs company~Kettler & Voß
Wie viele Kontakte habe ich insgesamt gespeichert? => count contacts
Was zahlt die Stelle bei Rohrfuchs Haustechnik? => lookup jobs *~Rohrfuchs Haustechnik
Welche Jobs in Freiburg bringen mehr als 50.000 Euro im Jahr? => list jobs location~Freiburg salary_min>=50001
Zeig mir die fünf neuesten Stellen als Volkswirt. => list jobs title~Volkswirt by created_at desc limit 5
Wie viele Anschreiben habe ich hier abgelegt? => count documents kind=cover_letter
Für welche Jobs habe ich mich gestern beworben? => list jobs status>=applied status@yesterday
hallöchen, zeig mir doch mal bitte die Kassiererin-Jobs in Gera => list jobs title~Kassiererin location~Gera
sag mal, wie viele Firmen hab ich hier eigentlich schon drin? => count companies
meine Frau fragt schon wieder: wie viele Bewerbungen hab ich diese Woche rausgeschickt? => count jobs status>=applied status@this_week
muss gleich den Jupp Hövelmann anrufen, haste mal seine Nummer? => lookup contacts *~Jupp Hövelmann
so, Feierabend, welche Stellen als Zugbegleiter hab ich mir gespeichert? => list jobs status=saved title~Zugbegleiter
moin, wen kenn ich denn bei der Halbe Treppe IT GmbH? => list contacts company~Halbe Treppe IT GmbH
wegen der Kids geht nur Homeoffice, also zeig mir bitte die Remote-Jobs ab 35k => list jobs remote_type=remote salary_min>=35000
wie siehts denn jetzt mit meiner Bewerbung bei Sonnleitner Reha aus?? => lookup jobs *~Sonnleitner Reha
das Amt will ne Zahl von mir, wie viele Absagen hab ich bisher kassiert? => count jobs status=rejected
kurze frage, wo war nochmal der job bei Quellwerk 7? => lookup jobs *~Quellwerk 7
ach bitte einmal alle meine Kontakte anzeigen, danke dir! => list contacts
hab den überblick verloren... welche jobs hab ich diese woche neu eingetragen? => list jobs created_at@this_week
könntest du mir bitte mal die hybriden Jobs in Ulm raussuchen, wär lieb => list jobs remote_type=hybrid location~Ulm
nur aus Neugier: bei welchen Stellen hab ich letzten Monat ne Absage gekriegt? => list jobs status=rejected status@last_month
zeig mal bitte alles an dokumenten was ich hier so hab => list documents
ey wie viele jobs als dolmetscher in wien sind das jetzt bei mir? => count jobs title~dolmetscher location~wien
Jobs Architektin Kassel => list jobs title~Architektin location~Kassel
Stellen als Logopädin in Bad Oeynhausen => list jobs title~Logopädin location~Bad Oeynhausen
Dachdecker Jobs Gelsenkirchen => list jobs title~Dachdecker location~Gelsenkirchen
Homeoffice Stellen Steuerberater => list jobs remote_type=remote title~Steuerberater
hybride Jobs ab 52.000 Euro => list jobs remote_type=hybrid salary_min>=52000
Barista-Stellen Leipzig => list jobs title~Barista location~Leipzig
Telefonnummer Henrike Voß-Lammers => lookup contacts *~Henrike Voß-Lammers
Kontakte bei Dachwerk Süd GmbH & Co. KG => list contacts company~Dachwerk Süd GmbH & Co. KG
Anzahl gespeicherte Jobs => count jobs status=saved
Stellen bei Studio Kante 4 => list jobs company~Studio Kante 4
Zusteller Jobs vor Ort in Celle => list jobs remote_type=onsite title~Zusteller location~Celle
Stellen Eventmanagerin Köln remote => list jobs remote_type=remote title~Eventmanagerin location~Köln
Wie viele Bewerbungen habe ich im April verschickt? => count jobs status>=applied status@april
Welche Stellen sind gerade in der Gesprächsphase? => list jobs status=interviewing
Wie lautet die E-Mail-Adresse von Cem Yıldırım-Krause? => lookup contacts *~Cem Yıldırım-Krause
Wie viele Kontakte habe ich gespeichert? => count contacts
Wann habe ich mich bei Löwe & Lamm beworben? => lookup jobs *~Löwe & Lamm
Was zahlt die Stelle bei Brüggemann & Thiel? => lookup jobs *~Brüggemann & Thiel
Welche Jobs in Freiburg zahlen mehr als 48.000 Euro? => list jobs location~Freiburg salary_min>=48001
Auf wie viele Stellen in Rostock habe ich mich beworben? => count jobs status>=applied location~Rostock
Zeig mir die drei bestbezahlten Stellen. => list jobs by salary_min desc limit 3
Wen kenne ich bei Eventschmiede 360? => list contacts company~Eventschmiede 360
Für welche Firma arbeitet Ottilie von Rabenau? => lookup contacts *~Ottilie von Rabenau
Bei welchen Stellen habe ich meine Bewerbung diesen Monat zurückgezogen? => list jobs status=withdrawn status@this_month
Welche Remote-Jobs haben mir abgesagt? => list jobs status=rejected remote_type=remote
Wie viele Firmen habe ich erfasst? => count companies
Für welche Stellen als Bauzeichner habe ich ein Angebot bekommen? => list jobs status>=offer title~Bauzeichner
In welcher Stadt ist die Stelle bei Sprachraum Ühlein? => lookup jobs *~Sprachraum Ühlein
hey, zeig mal bitte die Barista Jobs in Mainz => list jobs title~Barista location~Mainz
moin, wieviele Bewerbungen hab ich eigentlich diese Woche rausgeschickt? => count jobs status>=applied status@this_week
das Amt fragt nach: auf wie viele Jobs hab ich mich letzten Monat beworben? => count jobs status>=applied status@last_month
sag mal, wie ist die Nummer vom Jörn Petersen, muss den gleich anrufen => lookup contacts *~Jörn Petersen
könntest du mir kurz die gespeicherten Stellen zeigen? danke dir => list jobs status=saved
bin grad unterwegs, wie steht's um den Job bei Hagebutt & Söhne? => lookup jobs *~Hagebutt & Söhne
oh mann, wie viele Absagen hab ich gestern kassiert => count jobs status=rejected status@yesterday
mir is langweilig in der Pause, zeig doch mal die Briefträger Stellen in Husum => list jobs title~Briefträger location~Husum
guten Morgen, bitte einmal alle Kontakte von Lindqvist Baukontor anzeigen :) => list contacts company~Lindqvist Baukontor
ich brauch mal schnell die mail von Ana-Lucía Becker => lookup contacts *~Ana-Lucía Becker
so, Feierabend, welche Jobs hab ich gestern hinzugefügt? => list jobs created_at@yesterday
sorry falls ich nerve, aber was zahlt der Job bei Traufe 8? => lookup jobs *~Traufe 8
na dann zeig mal her, welche hybriden Stellen als Architekt hab ich da so => list jobs remote_type=hybrid title~Architekt
hab grad den Überblick verloren, wie viele Anschreiben hab ich denn => count documents kind=cover_letter
meine Frau will's wissen: welche Jobs zahlen mindestens 60k? => list jobs salary_min>=60000
zeig mir bitte nochmal die Jobs die ich angenommen hab, danke => list jobs status=accepted
Stellen als Floristin in Garmisch-Partenkirchen => list jobs title~Floristin location~Garmisch-Partenkirchen
gespeicherte Jobs als Psychologin => list jobs status=saved title~Psychologin
remote Jobs ab 50.000 Euro => list jobs remote_type=remote salary_min>=50000
Telefonnummer Wiebke Thomsen => lookup contacts *~Wiebke Thomsen
Kontakte bei Labor Grünwald & Kollegen => list contacts company~Labor Grünwald & Kollegen
Jobs als Kranführer vor Ort => list jobs remote_type=onsite title~Kranführer
diese Woche hinzugefügte Stellen => list jobs created_at@this_week
Stellen bei Hebezeug Nord 24 => list jobs company~Hebezeug Nord 24
Stellen mit Absage in Chemnitz => list jobs status=rejected location~Chemnitz
hybride Stellen in Neustadt an der Weinstraße => list jobs remote_type=hybrid location~Neustadt an der Weinstraße
E-Mail-Adresse Jonas Übelhör => lookup contacts *~Jonas Übelhör
Jobs als Musiklehrer, auf die ich mich beworben habe => list jobs status>=applied title~Musiklehrer
Stand der Stelle bei Terra-Quest Reisen => lookup jobs *~Terra-Quest Reisen
die 5 neuesten Jobs als Laborantin => list jobs title~Laborantin by created_at desc limit 5
Welche Jobs in Bad Oeynhausen habe ich gespeichert? => list jobs status=saved location~Bad Oeynhausen
Wie lautet die Telefonnummer von Henrike von Stetten? => lookup contacts *~Henrike von Stetten
Wann habe ich mich auf die Stelle bei Assekuranz Meyerhoff beworben? => lookup jobs *~Assekuranz Meyerhoff
Welche Stellen als Versicherungskauffrau sind hybrid? => list jobs remote_type=hybrid title~Versicherungskauffrau
Was zahlt die Stelle bei Blütenwerk 7? => lookup jobs *~Blütenwerk 7
Kannst du mir bitte alle Firmen auflisten? => list companies
Bei welcher Firma arbeitet Cem Aydoğan? => lookup contacts *~Cem Aydoğan
Welche Jobs als Reiseleiterin zahlen mehr als 30.000 Euro? => list jobs title~Reiseleiterin salary_min>=30001
Wie viele Dokumente habe ich insgesamt? => count documents
Wo liegt die Stelle bei Klinik Sonnenhalde? => lookup jobs *~Klinik Sonnenhalde
Wie viele Jobs als Laborant in Jena habe ich gespeichert? => count jobs status=saved title~Laborant location~Jena
Welche Kontakte habe ich bei Kranbau Rössler? => list contacts company~Kranbau Rössler
Bei welchen Stellen habe ich letzten Monat meine Bewerbung zurückgezogen? => list jobs status=withdrawn status@last_month
moin, sag ma wie viele jobs hab ich eigentlich schon gespeichert? => count jobs status=saved
Hallöchen! Die Frau vom Amt will's wissen: auf wieviele Stellen hab ich mich diesen Monat beworben? => count jobs status>=applied status@this_month
ich find den zettel nicht mehr, gib mir mal bitte die mailadresse von Rosalie Feichtinger => lookup contacts *~Rosalie Feichtinger
So, Kaffee steht, dann zeig mir mal die Jobs als Floristin in Villach => list jobs title~Floristin location~Villach
hey kurze frage, wie steht's eigentlich mit der stelle bei Musikschule Tonleiter? => lookup jobs *~Musikschule Tonleiter
hab grad pause, zeig ma die stellen als Kranfahrer in Bremerhaven bitte => list jobs title~Kranfahrer location~Bremerhaven
Entschuldige die späte Störung, aber welche Jobs hab ich heute hinzugefügt? => list jobs created_at@today
boah bin ich müde... welche remote jobs als psychologe hab ich nochmal? => list jobs remote_type=remote title~psychologe
Die Miete ist schon wieder rauf, zeig mir also bitte nur Stellen mit mindestens 42k, danke dir => list jobs salary_min>=42000
ähm wie viele anschreiben hab ich eigentlich => count documents kind=cover_letter
Grüezi, auf welche Stellen in Rapperswil-Jona habe ich mich beworben? => list jobs status>=applied location~Rapperswil-Jona
hab total den überblick verloren, wie viele kontakte hab ich bei Nordlicht Versicherung? => count contacts company~Nordlicht Versicherung
mal ganz ehrlich, wieviele absagen hab ich diese woche kassiert? => count jobs status=rejected status@this_week
kannst du mir schnell die 4 neuesten jobs zeigen, mein bus kommt gleich => list jobs by created_at desc limit 4
servus, bei welchen Jobs bin ich grad in der Interviewphase? => list jobs status=interviewing
Danke nochmal! Wann hab ich mich eigentlich auf die Stelle bei Stadtrundgänge Löffler & Sohn beworben? => lookup jobs *~Stadtrundgänge Löffler & Sohn
Stellen in Bitterfeld => list jobs location~Bitterfeld
Chemiker Stellen Leverkusen => list jobs title~Chemiker location~Leverkusen
gespeicherte Jobs => list jobs status=saved
Jobs bei Wöhrle & Partner => list jobs company~Wöhrle & Partner
remote Stellen ab 48.000 € => list jobs remote_type=remote salary_min>=48000
Kontakte bei Dentalzentrum Nord => list contacts company~Dentalzentrum Nord
Telefonnummer Annegret Süßkind => lookup contacts *~Annegret Süßkind
Stellen mit Absage im Januar => list jobs status=rejected status@january
Jobs als Staplerfahrer in Wanne-Eickel => list jobs title~Staplerfahrer location~Wanne-Eickel
hybride Stellen als Produktdesignerin => list jobs remote_type=hybrid title~Produktdesignerin
Anzahl zurückgezogener Jobs => count jobs status=withdrawn
E-Mail von Jannis Terhorst => lookup contacts *~Jannis Terhorst
top 3 bestbezahlte Jobs => list jobs by salary_min desc limit 3
Welche Stellen als Verkäuferin in Göppingen habe ich gespeichert? => list jobs status=saved title~Verkäuferin location~Göppingen
Wann habe ich mich bei Kranich7 beworben? => lookup jobs *~Kranich7
Wie viele Kontakte habe ich bei der Holzapfel Chemie? => count contacts company~Holzapfel Chemie
Bei welcher Firma arbeitet Swantje Petersen-Krug? => lookup contacts *~Swantje Petersen-Krug
Zeige mir alle Stellen, die mehr als 52.000 Euro zahlen. => list jobs salary_min>=52001
Bei welchen Stellen bin ich gerade in Vorstellungsgesprächen? => list jobs status=interviewing
Wie viele Anschreiben habe ich abgelegt? => count documents kind=cover_letter
Wie ist der Stand bei der Stelle von Textwerk Ahrens? => lookup jobs *~Textwerk Ahrens
Welche Jobs habe ich gestern hinzugefügt? => list jobs created_at@yesterday
Liste bitte alle Firmen auf, die ich erfasst habe. => list companies
Wie viele Stellen als Lehrerin in Quedlinburg habe ich? => count jobs title~Lehrerin location~Quedlinburg
Auf welche Jobs habe ich mich im März beworben? => list jobs status>=applied status@march
Wo ist die Stelle bei Grünspan Design? => lookup jobs *~Grünspan Design
hallo, zeig mir doch mal die jobs als zahnmedizinische fachangestellte in Husum => list jobs title~zahnmedizinische fachangestellte location~Husum
moin, wie viele bewerbungen hab ich diese woche eigentlich rausgeschickt? => count jobs status>=applied status@this_week
muss gleich beim amt anrufen, auf wie viele stellen hab ich mich letzten monat beworben => count jobs status>=applied status@last_month
könntest du mir kurz die homeoffice-jobs als Texter zeigen? danke dir! => list jobs remote_type=remote title~Texter
ach ja, wen kenn ich denn bei Rösler Fördertechnik? => list contacts company~Rösler Fördertechnik
Guten Abend, ich hätte gern mal alle Stellen gesehen, die ich mir gemerkt habe => list jobs status=saved
zeig mal bitte alle stellen, die mir letzte woche abgesagt haben, will die endlich abhaken => list jobs status=rejected status@last_week
hey, wo steh ich grad mit dem job bei Pfifferling GmbH?? => lookup jobs *~Pfifferling GmbH
kurze frage, wieviele leute hab ich mittlerweile in den kontakten => count contacts
lass mal die 4 bestbezahlten stellen sehen :) => list jobs by salary_min desc limit 4
wieviel würd ich bei Nussbaum 21 in dem job nochmal kriegen? => lookup jobs *~Nussbaum 21
Sorry, nochmal ich: welche Jobs in Annaberg-Buchholz zahlen mindestens 35k? => list jobs location~Annaberg-Buchholz salary_min>=35000
hab grad n bisschen zeit, zeig mir also mal die stellen als chemielaborant bitte => list jobs title~chemielaborant
meine frau will's wissen: wie viele jobs haben mir im november abgesagt? => count jobs status=rejected status@november
so, erstmal kaffee. was hab ich hier alles an dokumenten liegen? => list documents
Stellen in Bad Säckingen => list jobs location~Bad Säckingen
Remote-Jobs bei Krall & Söhne => list jobs remote_type=remote company~Krall & Söhne
Jobs als Zahnärztin in Husum => list jobs title~Zahnärztin location~Husum
Stellen mit Absage letzten Monat => list jobs status=rejected status@last_month
gestern hinzugefügte Jobs => list jobs created_at@yesterday
Stellen ab 48.000 Euro => list jobs salary_min>=48000
Kontakte bei Moor-Milch eG => list contacts company~Moor-Milch eG
meine Anschreiben => list documents kind=cover_letter
hybride Stellen in Graz => list jobs remote_type=hybrid location~Graz
die fünf neuesten Jobs => list jobs by created_at desc limit 5
Telefonnummer Wiebke Oltmanns => lookup contacts *~Wiebke Oltmanns
Stellen bei Pixelhof 7 => list jobs company~Pixelhof 7
Jobs mit zurückgezogener Bewerbung => list jobs status=withdrawn
Stellen als Busmechaniker => list jobs title~Busmechaniker
die drei bestbezahlten Jobs => list jobs by salary_min desc limit 3
Bei welchen Stellen bin ich gerade im Vorstellungsprozess? => list jobs status=interviewing
Wie hoch ist das Gehalt bei der Stelle bei Tönnsen Landtechnik? => lookup jobs *~Tönnsen Landtechnik
Wann habe ich mich bei der Zahnklinik am Weiher beworben? => lookup jobs *~Zahnklinik am Weiher
Wie lautet die E-Mail-Adresse von Jean-Luc Brändli? => lookup contacts *~Jean-Luc Brändli
Zeig mir bitte alle Jobs, die mehr als 55.000 Euro bringen. => list jobs salary_min>=55001
Für wie viele Stellen habe ich diesen Monat eine Absage bekommen? => count jobs status=rejected status@this_month
Wen kenne ich bei Ostertag & Partner? => list contacts company~Ostertag & Partner
Welche Stellen habe ich im Januar hinzugefügt? => list jobs created_at@january
Wie viele Unternehmen stehen in meiner Liste? => count companies
Für welche Firma arbeitet Şule Karadeniz? => lookup contacts *~Şule Karadeniz
Welche Stellen als Hoteldirektorin in Meran stehen in meiner Liste? => list jobs title~Hoteldirektorin location~Meran
Wie viele Stellen vor Ort in Chemnitz habe ich? => count jobs remote_type=onsite location~Chemnitz
moin, zeig mal die jobs auf die ich mich diese woche beworben hab, die vom amt will das wissen => list jobs status>=applied status@this_week
sag mal, bei wie vielen Stellen hab ich letzte Woche eigentlich ne Absage gekriegt?? => count jobs status=rejected status@last_week
hallöchen, wie ist denn der Stand bei meiner Bewerbung bei Hof Rehwinkel? => lookup jobs *~Hof Rehwinkel
sorry, ich finds grad nicht: was war nochmal die Nummer von Kai-Uwe Sprenger => lookup contacts *~Kai-Uwe Sprenger
welche jobs zahlen denn mindestens 40k, die miete wird ja nicht weniger => list jobs salary_min>=40000
nur so aus Neugier, wie viele Jobangebote hab ich bisher bekommen? => count jobs status>=offer
kannste mir mal alle Stellen als Verkäuferin in Plauen raussuchen bitte => list jobs title~Verkäuferin location~Plauen
so, Kaffee steht, dann zeig mir mal die Jobs die ich letzte Woche hinzugefügt habe => list jobs created_at@last_week
Servus, gib mir bitte die zehn neuesten Stellen => list jobs by created_at desc limit 10
ich weiß nimmer, wo der Job bei Alpin Reisen 24 ist, hilf mir mal bitte => lookup jobs *~Alpin Reisen 24
bitte alle Remote-Jobs als PR-Beraterin, pendeln mag ich echt nicht mehr => list jobs remote_type=remote title~PR-Beraterin
wieviele dokumente hab ich hier inzwischen eigentlich drin => count documents
danke dir! und jetzt bitte die Stellen, bei denen ich im Februar eine Absage bekommen habe => list jobs status=rejected status@february
ich fahr morgen auf die Messe, wen hab ich denn bei Voltara 3 als Kontakt? => list contacts company~Voltara 3
ähm, auf welche jobs hab ich mich heute eigentlich beworben => list jobs status>=applied status@today
Grüezi, welche Stelle habe ich schon wieder angenommen? => list jobs status=accepted
"""

FRENCH = """
postes infirmière Saint-Brieuc => list jobs title~infirmière location~Saint-Brieuc
postes de soudeur TIG à Montbéliard => list jobs title~soudeur TIG location~Montbéliard
refus du mois dernier => list jobs status=rejected status@last_month
contacts chez Delorme & Filles => list contacts company~Delorme & Filles
téléphone Ghislaine Peyrecave => lookup contacts *~Ghislaine Peyrecave
postes hybrides graphiste Lyon => list jobs remote_type=hybrid title~graphiste location~Lyon
postes à partir de 30k => list jobs salary_min>=30000
liste des entreprises => list companies
état candidature Logi-Ouest 44 => lookup jobs *~Logi-Ouest 44
candidatures envoyées en janvier => list jobs status>=applied status@january
postes chez L'Atelier du Goéland => list jobs company~L'Atelier du Goéland
postes cariste sur site à Villefranche-sur-Saône => list jobs title~cariste remote_type=onsite location~Villefranche-sur-Saône
mail Barnabé N'Diaye-Roux => lookup contacts *~Barnabé N'Diaye-Roux
Pour quels postes suis-je en cours d'entretien ? => list jobs status=interviewing
Quand ai-je postulé chez Chaudronnerie Vasseur ? => lookup jobs *~Chaudronnerie Vasseur
Pour qui travaille Solène Kerdoncuff ? => lookup contacts *~Solène Kerdoncuff
Quelle est l'adresse e-mail de Thibaud d'Aubrac ? => lookup contacts *~Thibaud d'Aubrac
Quels postes paient au moins 35 000 euros ? => list jobs salary_min>=35000
Combien de contacts est-ce que j'ai à la Clinique des Tilleuls ? => count contacts company~Clinique des Tilleuls
Montre-moi tous les postes de juriste à Grenoble. => list jobs title~juriste location~Grenoble
Quels sont les trois postes les mieux payés ? => list jobs by salary_min desc limit 3
Combien d'entreprises ai-je ajoutées ce mois-ci ? => count companies created_at@this_month
Combien de lettres de motivation ai-je en tout ? => count documents kind=cover_letter
Quel est le salaire du poste chez Brume & Papier ? => lookup jobs *~Brume & Papier
Quels documents ai-je ajoutés hier ? => list documents created_at@yesterday
Pour quels postes ai-je reçu une offre ? => list jobs status>=offer
Combien de refus ai-je reçus en octobre ? => count jobs status=rejected status@october
Quels postes ai-je ajoutés la semaine dernière ? => list jobs created_at@last_week
coucou tu peux me sortir les postes de magasinier à Roubaix stp => list jobs title~magasinier location~Roubaix
dis-moi j'ai eu combien de refus cette semaine ? histoire de savoir => count jobs status=rejected status@this_week
Bonjour, pourriez-vous me donner le numéro de téléphone de Mme Huguette Lestrade ? Merci bien. => lookup contacts *~Huguette Lestrade
bon je sors de garde, montre-moi les postes ajoutés aujourd'hui => list jobs created_at@today
ça en est où avec Ferronnerie 2000 svp ? => lookup jobs *~Ferronnerie 2000
pour ma conseillère il me faut le nombre de candidatures que j'ai envoyées le mois dernier => count jobs status>=applied status@last_month
salut ! tous mes contacts stp, je fais du tri => list contacts
euh c'est où déjà le poste chez Grands Moulins d'Occitanie ? => lookup jobs *~Grands Moulins d'Occitanie
j'ai plus de voiture donc balance juste les postes en télétravail à plus de 28k => list jobs remote_type=remote salary_min>=28001
allez, montre les postes au statut enregistré, j'ai un peu de temps => list jobs status=saved
Auriez-vous l'amabilité de me montrer les postes de professeure de français à Angoulême ? => list jobs title~professeure de français location~Angoulême
oups j'ai perdu sa carte, c'est quoi l'email de Nolwenn Le Guennec déjà => lookup contacts *~Nolwenn Le Guennec
les 3 postes les plus récemment ajoutés stp, je file dans 2 min => list jobs by created_at desc limit 3
j'ai qui comme contacts chez Studio Pamplemousse ?? merciii => list contacts company~Studio Pamplemousse
mon mari veut savoir, il est payé combien le poste chez Aciéries Montfaucon ? => lookup jobs *~Aciéries Montfaucon
vas-y montre les candidatures refusées, j'suis prête => list jobs status=rejected
postes de menuisier à Quimper => list jobs title~menuisier location~Quimper
jobs chez Bertolin & Fils => list jobs company~Bertolin & Fils
refus de la semaine dernière => list jobs status=rejected status@last_week
téléphone Maëlle Kerdoncuff => lookup contacts *~Maëlle Kerdoncuff
contacts chez Transvosges 88 => list contacts company~Transvosges 88
postes conducteur de bus Besançon => list jobs title~conducteur de bus location~Besançon
postes sur site à Roubaix => list jobs remote_type=onsite location~Roubaix
mes documents => list documents
candidatures du mois dernier => list jobs status>=applied status@last_month
statut candidature L'Épi d'Ozanne => lookup jobs *~L'Épi d'Ozanne
nombre de lettres de motivation => count documents kind=cover_letter
postes hybrides 33 000 € minimum => list jobs remote_type=hybrid salary_min>=33000
les 6 postes les mieux payés => list jobs by salary_min desc limit 6
mail de Jean-Noël d'Hautecombe => lookup contacts *~Jean-Noël d'Hautecombe
candidatures refusées => list jobs status=rejected
jobs data analyst plus de 42k => list jobs title~data analyst salary_min>=42001
Combien de candidatures ai-je envoyées en février ? => count jobs status>=applied status@february
Combien de contacts ai-je ajoutés ce mois-ci ? => count contacts created_at@this_month
Quand est-ce que j'ai postulé chez Farandol Traiteur ? => lookup jobs *~Farandol Traiteur
Quel est le numéro de Soizic Le Bihannic ? => lookup contacts *~Soizic Le Bihannic
Montre-moi les postes à La Rochelle payés au moins 30 000 euros. => list jobs location~La Rochelle salary_min>=30000
Qui est-ce que je connais chez Aubrac-Vidal Expertise ? => list contacts company~Aubrac-Vidal Expertise
Combien de postes de comptable ai-je dans ma liste ? => count jobs title~comptable
Quel salaire propose le poste chez Studio 9 & Demi ? => lookup jobs *~Studio 9 & Demi
Quelles entreprises sont enregistrées dans mon suivi ? => list companies
Dans quelle entreprise travaille Ousmane Diakhaby ? => lookup contacts *~Ousmane Diakhaby
Peux-tu me lister mes lettres de motivation ? => list documents kind=cover_letter
Pour quels postes suis-je en phase d'entretien en ce moment ? => list jobs status=interviewing
Peux-tu afficher les postes de chef de partie à Annecy ? => list jobs title~chef de partie location~Annecy
Quels sont les deux derniers postes que j'ai ajoutés ? => list jobs by created_at desc limit 2
Où en est ma candidature chez Plume et Rabot ? => lookup jobs *~Plume et Rabot
Quelles candidatures ai-je retirées le mois dernier ? => list jobs status=withdrawn status@last_month
Combien de postes à Thonon-les-Bains sont entièrement à distance ? => count jobs remote_type=remote location~Thonon-les-Bains
coucou, j'ai combien de boîtes en tout dans ma liste ? => count companies
dis, c'est quoi le numéro de Titouan Gourvennec ? je dois l'appeler dans 5 min => lookup contacts *~Titouan Gourvennec
stp montre moi les postes d'aide-comptable en full remote, merci bcp => list jobs remote_type=remote title~aide-comptable
pff, j'ai eu combien de refus aujourd'hui ? au point où j'en suis... => count jobs status=rejected status@today
il est où déjà le poste de chez Ébénisterie Malaval ? je sais plus si c'est loin => lookup jobs *~Ébénisterie Malaval
bonjour, je voudrais juste voir tous les postes qui paient plus de 38 000 svp => list jobs salary_min>=38001
alors, j'en suis à combien de propositions d'embauche ? je croise les doigts => count jobs status=offer
bon, je prépare ma semaine : tu me sors les jobs à Clermont-Ferrand ? => list jobs location~Clermont-Ferrand
j'ai perdu mon carnet, tu peux me redonner l'adresse mail de Fanchon Lestrade ? => lookup contacts *~Fanchon Lestrade
j'ai postulé à quels postes hier déjà ? j'ai la tête comme une passoire => list jobs status>=applied status@yesterday
au fait, je connais qui déjà chez Vieux Lavoir & Cie ? ça peut aider => list contacts company~Vieux Lavoir & Cie
tu me files les postes de serveuse à Dijon ? j'ai cours dans 2 min => list jobs title~serveuse location~Dijon
mince, c'était quand que j'ai postulé chez Delacroze 3000 ? ils me le demandent => lookup jobs *~Delacroze 3000
pour France Travail : combien de candidatures envoyées cette semaine svp => count jobs status>=applied status@this_week
y a combien de postes en tout là-dedans, juste pour savoir => count jobs
désolée de t'embêter encore, juste les postes ajoutés en novembre et je te laisse => list jobs created_at@november
postes électricien Clermont-Ferrand => list jobs title~électricien location~Clermont-Ferrand
contacts chez Lefèbvre & Fils => list contacts company~Lefèbvre & Fils
télétravail testeur logiciel => list jobs remote_type=remote title~testeur logiciel
tél Maëlle Le Goff-Rouzic => lookup contacts *~Maëlle Le Goff-Rouzic
candidatures janvier => list jobs status>=applied status@january
postes 35k minimum => list jobs salary_min>=35000
postes sauvegardés Annecy => list jobs status=saved location~Annecy
les 3 postes les mieux payés => list jobs by salary_min desc limit 3
pharmacien Saint-Étienne => list jobs title~pharmacien location~Saint-Étienne
livreur à vélo Lille => list jobs title~livreur à vélo location~Lille
postes en présentiel => list jobs remote_type=onsite
postes ajoutés aujourd'hui => list jobs created_at@today
statut Pharmacie du Vieux-Port => lookup jobs *~Pharmacie du Vieux-Port
Quand est-ce que j'ai postulé chez Les P'tits Loups 38 ? => lookup jobs *~Les P'tits Loups 38
Quelle est l'adresse mail de Souleymane Diabaté-Roy ? => lookup contacts *~Souleymane Diabaté-Roy
Combien paie le poste chez Voltalec 63 ? => lookup jobs *~Voltalec 63
Quels sont les postes hybrides à Nantes ? => list jobs remote_type=hybrid location~Nantes
Pour quelle entreprise travaille Ghislaine d'Aubrac ? => lookup contacts *~Ghislaine d'Aubrac
Combien de refus ai-je reçus en mars ? => count jobs status=rejected status@march
Montre-moi les postes de réceptionniste à Biarritz. => list jobs title~réceptionniste location~Biarritz
Quels postes proposent un salaire supérieur à 48 000 € ? => list jobs salary_min>=48001
Combien de contacts ai-je chez Résidence de l'Estran ? => count contacts company~Résidence de l'Estran
Où se situe le poste chez Agence Miro&Co ? => lookup jobs *~Agence Miro&Co
Quelles entreprises ai-je ajoutées ce mois-ci ? => list companies created_at@this_month
Quels sont les cinq derniers postes que j'ai ajoutés ? => list jobs by created_at desc limit 5
Quels refus ai-je reçus cette semaine ? => list jobs status=rejected status@this_week
Affiche les postes d'éducatrice de jeunes enfants à Rennes. => list jobs title~éducatrice de jeunes enfants location~Rennes
coucou, tu peux me sortir les postes de livreur à Montreuil stp => list jobs title~livreur location~Montreuil
dis, ça en est où avec Maison Grimbert ? => lookup jobs *~Maison Grimbert
mon conseiller veut savoir, j'ai postulé à combien d'offres ce mois-ci ? => count jobs status>=applied status@this_month
salut, c quoi déjà le num de Thibault Nguyen-Martel => lookup contacts *~Thibault Nguyen-Martel
bon j'en peux plus des trajets, montre-moi les postes en télétravail stp => list jobs remote_type=remote
rebonjour ! qui est-ce que je connais chez Studio Ocre 12 ? => list contacts company~Studio Ocre 12
ben du coup j'ai combien de contacts maintenant ? => count contacts
euh j'ai ajouté quels postes hier, j'ai la tête ailleurs => list jobs created_at@yesterday
le loyer augmente encore, montre moi les 5 postes les mieux payés => list jobs by salary_min desc limit 5
hello, je voudrais voir les postes où j'ai reçu une proposition d'embauche stp => list jobs status>=offer
désolée de déranger encore, il me faudrait le mail de Mme Kerbrat => lookup contacts *~Kerbrat
pff montre moi les refus de novembre, faut que je regarde ça en face => list jobs status=rejected status@november
tu me rappelles combien ça paie chez Labotest-Ouest ? merci d'avance => lookup jobs *~Labotest-Ouest
Bonsoir, pourriez-vous me montrer les postes à au moins 30 000 € à Toulouse, s'il vous plaît ? => list jobs salary_min>=30000 location~Toulouse
j'suis en pause donc vite fait, pour quels postes j'ai retiré ma candidature ? => list jobs status=withdrawn
alors, j'ai combien de postes d'électricien dans ma liste ? => count jobs title~électricien
emplois à Montbrison => list jobs location~Montbrison
postes de coiffeuse à Douarnenez => list jobs title~coiffeuse location~Douarnenez
refus mois dernier => list jobs status=rejected status@last_month
candidatures septembre => list jobs status>=applied status@september
contacts chez Lefèbvre & Cie => list contacts company~Lefèbvre & Cie
chef de projet télétravail => list jobs remote_type=remote title~chef de projet
bibliothécaire hybride Vitré => list jobs remote_type=hybrid title~bibliothécaire location~Vitré
chauffeur poids lourd 28000 minimum => list jobs title~chauffeur poids lourd salary_min>=28000
tél Maëlle Kerguélen => lookup contacts *~Maëlle Kerguélen
postes ajoutés hier => list jobs created_at@yesterday
candidatures retirées => list jobs status=withdrawn
postes sauvegardés vendeuse => list jobs status=saved title~vendeuse
ingénieur génie civil présentiel => list jobs remote_type=onsite title~ingénieur génie civil
Quand est-ce que j'ai postulé chez Transports Guéguen 56 ? => lookup jobs *~Transports Guéguen 56
Quelle est l'adresse mail de Jean-Baptiste d'Arvieu ? => lookup contacts *~Jean-Baptiste d'Arvieu
Qui est-ce que je connais chez BioNéa-Sud ? => list contacts company~BioNéa-Sud
Combien paie le poste chez L'Atelier d'Ondine ? => lookup jobs *~L'Atelier d'Ondine
Quels sont les postes de conductrice de travaux à Saint-Jean-de-Maurienne ? => list jobs title~conductrice de travaux location~Saint-Jean-de-Maurienne
Combien de refus ai-je reçus en janvier ? => count jobs status=rejected status@january
Montre-moi les postes à distance qui paient plus de 42 000 euros. => list jobs remote_type=remote salary_min>=42001
Dans quelle entreprise travaille Solène Bouhanna ? => lookup contacts *~Solène Bouhanna
Peux-tu afficher les cinq derniers postes que j'ai ajoutés ? => list jobs by created_at desc limit 5
Où se trouve le poste de responsable de médiathèque ? => lookup jobs *~responsable de médiathèque
Quels postes ai-je ajoutés ce mois-ci ? => list jobs created_at@this_month
Combien de lettres de motivation y a-t-il dans mes documents ? => count documents kind=cover_letter
Où en est ma candidature chez Quincaillerie Ravel-Dumas ? => lookup jobs *~Quincaillerie Ravel-Dumas
coucou, j'ai postulé à combien de postes cette semaine stp => count jobs status>=applied status@this_week
dis, c'est quoi déjà le numéro de Farid Benyoucef, faut que je le rappelle => lookup contacts *~Farid Benyoucef
bonjour, désolée de déranger, vous pouvez me sortir les postes à Guérande ? merci => list jobs location~Guérande
bon ben j'en suis où avec Tif'Hair 3000 => lookup jobs *~Tif'Hair 3000
salut !! montre moi tous les postes que j'ai en hybride sur Annemasse => list jobs remote_type=hybrid location~Annemasse
pff encore une journée pourrie, combien de refus j'ai eu en tout => count jobs status=rejected
je suis au resto routier là, t'as quoi comme postes de conducteur SPL à Mâcon => list jobs title~conducteur SPL location~Mâcon
par simple curiosité, j'ai combien de documents là-dedans ? => count documents
j'ai rdv à France Travail tout à l'heure, il me faut la liste de mes candidatures d'hier svp => list jobs status>=applied status@yesterday
euh c'était combien déjà le salaire chez Hydro-Génie Conseil ? => lookup jobs *~Hydro-Génie Conseil
hello, tu me ressors les postes de vendeur à au moins 24k stp => list jobs title~vendeur salary_min>=24000
je me mélange un peu, elle bosse où déjà Clothilde Vanhoutte ? => lookup contacts *~Clothilde Vanhoutte
vite fait avant la réunion : les trois jobs les mieux payés à Villeurbanne => list jobs location~Villeurbanne by salary_min desc limit 3
ah tiens, c'est lesquels déjà les postes où on m'a fait une offre ? => list jobs status>=offer
mon mari me demande, j'ai postulé quand à la clinique vétérinaire des Ormeaux ? => lookup jobs *~clinique vétérinaire des Ormeaux
Bonsoir, pourriez-vous m'afficher mes contacts chez Établissements Poirot svp, je m'y perds => list contacts company~Établissements Poirot
boulanger Quimper => list jobs title~boulanger location~Quimper
refus octobre => list jobs status=rejected status@october
tél Maëlle Le Goff => lookup contacts *~Maëlle Le Goff
contacts chez Lambert & Filles => list contacts company~Lambert & Filles
postes à partir de 28 000 € => list jobs salary_min>=28000
télétravail développeuse => list jobs remote_type=remote title~développeuse
nombre de candidatures cette semaine => count jobs status>=applied status@this_week
postes enregistrés Saint-Brieuc => list jobs status=saved location~Saint-Brieuc
candidature Clos des Tilleuls : où ça en est => lookup jobs *~Clos des Tilleuls
jardinier paysagiste Angers présentiel => list jobs remote_type=onsite title~jardinier paysagiste location~Angers
toutes les entreprises => list companies
les 5 postes les mieux payés => list jobs by salary_min desc limit 5
mail Jean-Baptiste d'Hérouville => lookup contacts *~Jean-Baptiste d'Hérouville
Quand ai-je postulé à la Gazette du Marais ? => lookup jobs *~Gazette du Marais
Quels sont mes postes hybrides à Villeurbanne ? => list jobs remote_type=hybrid location~Villeurbanne
Pour quelle entreprise travaille Fatoumata Diarra ? => lookup contacts *~Fatoumata Diarra
Quels postes ai-je ajoutés en janvier ? => list jobs created_at@january
Combien d'entreprises ai-je dans mon suivi ? => count companies
Montre-moi les postes de chargée de recrutement à plus de 34 000 euros. => list jobs title~chargée de recrutement salary_min>=34001
Combien paie le poste chez Voxiline 33 ? => lookup jobs *~Voxiline 33
À quels postes ai-je postulé aujourd'hui ? => list jobs status>=applied status@today
Qui est-ce que je connais chez Fournil de l'Abbaye ? => list contacts company~Fournil de l'Abbaye
Quelle est l'adresse mail de Thérèse Kerbrat ? => lookup contacts *~Thérèse Kerbrat
Peux-tu m'afficher les trois postes les plus récents ? => list jobs by created_at desc limit 3
Combien de postes d'aide-soignante ai-je à Limoges ? => count jobs title~aide-soignante location~Limoges
Combien de contacts ai-je en tout ? => count contacts
Quelles candidatures ai-je envoyées la semaine dernière ? => list jobs status>=applied status@last_week
Quels postes m'ont été refusés ce mois-ci ? => list jobs status=rejected status@this_month
coucou, tu peux me sortir les postes de téléconseiller à Roubaix stp => list jobs title~téléconseiller location~Roubaix
désolée de t'embêter encore, c'est quoi déjà le numéro de Yann Abgrall ? => lookup contacts *~Yann Abgrall
mon conseiller me le demande : j'ai envoyé combien de candidatures ce mois-ci => count jobs status>=applied status@this_month
je suis en pause là, vite fait, ça en est où chez Pousse & Racine => lookup jobs *~Pousse & Racine
Bonjour ! je voudrais voir les postes en télétravail à 45k minimum, merci d'avance => list jobs remote_type=remote salary_min>=45000
pfff on en est à combien de refus au total ?? => count jobs status=rejected
dis, j'ai quoi comme postes chez Kodelia2 => list jobs company~Kodelia2
Bonsoir, auriez-vous l'amabilité de m'afficher tous mes contacts ? => list contacts
ma femme me tanne, montre les refus que j'ai reçus hier stp => list jobs status=rejected status@yesterday
bon je sais plus du tout, j'ai postulé quand aux Serres de Kerlouan ? => lookup jobs *~Serres de Kerlouan
allez montre-moi ce que j'ai ajouté comme postes aujourd'hui, le café est pas encore passé => list jobs created_at@today
stp affiche les postes de pigiste que j'ai enregistrés, j'ai 5 min avant le bouclage => list jobs status=saved title~pigiste
j'ai un trou de mémoire... il paie combien le poste à L'Écho des Combrailles ? => lookup jobs *~L'Écho des Combrailles
tu me mets les 4 postes les mieux payés à nantes ? ça me remontera le moral => list jobs location~nantes by salary_min desc limit 4
hello, g combien de lettres de motivation dans mes documents svp => count documents kind=cover_letter
tiens, avant que j'oublie, combien de contacts j'ai chez Résidence Beau-Séjour ? => count contacts company~Résidence Beau-Séjour
postes de secrétaire à Saint-Brieuc => list jobs title~secrétaire location~Saint-Brieuc
emplois de cuisinier Quimperlé => list jobs title~cuisinier location~Quimperlé
postes chez Lefort & Fils => list jobs company~Lefort & Fils
postes à partir de 35 000 € => list jobs salary_min>=35000
candidatures refusées le mois dernier => list jobs status=rejected status@last_month
contacts chez Vigie 24 => list contacts company~Vigie 24
téléphone de Maëlle Le Goff => lookup contacts *~Maëlle Le Goff
mail Jean-Baptiste N'Diaye => lookup contacts *~Jean-Baptiste N'Diaye
postes de webdesigner hybrides => list jobs remote_type=hybrid title~webdesigner
postes en présentiel à L'Haÿ-les-Roses => list jobs remote_type=onsite location~L'Haÿ-les-Roses
le poste de commercial le mieux payé => list jobs title~commercial by salary_min desc limit 1
À combien de postes ai-je postulé en janvier ? => count jobs status>=applied status@january
Quels sont les postes de sage-femme en Ardèche ? => list jobs title~sage-femme location~Ardèche
Quand est-ce que j'ai postulé à la Brasserie des Trois Ponts ? => lookup jobs *~Brasserie des Trois Ponts
Où en est ma candidature chez Atelier Pixel 7 ? => lookup jobs *~Atelier Pixel 7
Quels contacts ai-je chez Dubreuil Sécurité ? => list contacts company~Dubreuil Sécurité
Quelle est l'adresse mail de Solène Castagnède ? => lookup contacts *~Solène Castagnède
Pour qui travaille Yacine Berthelot ? => lookup contacts *~Yacine Berthelot
Combien d'entreprises y a-t-il dans mon suivi ? => count companies
Pour combien de postes suis-je en phase d'entretien ? => count jobs status=interviewing
Quels postes de mécanicien paient au moins 28 000 euros ? => list jobs title~mécanicien salary_min>=28000
Quels contacts ai-je ajoutés la semaine dernière ? => list contacts created_at@last_week
Combien de candidatures ont été refusées hier ? => count jobs status=rejected status@yesterday
Quel est le salaire du poste au Cabinet Morvan-Silva ? => lookup jobs *~Cabinet Morvan-Silva
Montre-moi les postes d'agent de sécurité à Villeneuve-d'Ascq. => list jobs title~agent de sécurité location~Villeneuve-d'Ascq
Combien de documents ai-je en tout ? => count documents
Pour quels postes ai-je reçu une offre ce mois-ci ? => list jobs status>=offer status@this_month
Combien de postes en télétravail ai-je ajoutés en mai ? => count jobs remote_type=remote created_at@may
coucou, tu peux me sortir les postes de commerciale à Pau stp ? mon chéri veut voir => list jobs title~commerciale location~Pau
bon alors j'ai postulé à combien de postes cette semaine, j'ai l'impression d'avoir rien fichu => count jobs status>=applied status@this_week
dis, c'est quoi déjà le numéro de Ghislaine Pottier ? je dois la rappeler avant midi => lookup contacts *~Ghislaine Pottier
slt montre moi les postes 100% télétravail, j'en peux plus du RER => list jobs remote_type=remote
Désolée de te déranger, elle en est où ma candidature à la Maternité du Val Fleuri ? merci d'avance => lookup jobs *~Maternité du Val Fleuri
file moi les postes de cuistot qui paient plus de 27000, le loyer vient d'augmenter => list jobs title~cuistot salary_min>=27001
petite question avant ma garde : quels postes de sage-femme j'ai ajoutés aujourd'hui ? => list jobs title~sage-femme created_at@today
ptdr j'ai encore oublié, j'ai postulé quand chez Carrosserie Mazzoni ?? => lookup jobs *~Carrosserie Mazzoni
Bonjour, pourriez-vous m'afficher mes contacts chez Tissot & Rouvière s'il vous plaît ? Je prépare un appel. => list contacts company~Tissot & Rouvière
pour France Travail il me faut tous les postes où j'ai postulé le mois dernier, merci ! => list jobs status>=applied status@last_month
hello, je voudrais juste voir les deux postes hybrides les mieux payés, histoire de rêver un peu => list jobs remote_type=hybrid by salary_min desc limit 2
euh il paie combien le poste chez Studio Ganache ? j'ai un trou => lookup jobs *~Studio Ganache
stp ressors moi toutes mes lettres de motiv, je fais du tri ce soir => list documents kind=cover_letter
j'ai 5 min de pause, montre les postes à l'Auberge du Petit Cheval => list jobs company~Auberge du Petit Cheval
tiens au fait, c'est lesquels les postes que j'ai acceptés ? ma mère me demande => list jobs status=accepted
jsuis curieux, y a combien de postes de vigile à Maubeuge dans ma liste ? => count jobs title~vigile location~Maubeuge
postes plombier Lorient => list jobs title~plombier location~Lorient
emplois en télétravail => list jobs remote_type=remote
contacts chez Maréchal & Fils => list contacts company~Maréchal & Fils
téléphone Maëlys Kerbrat => lookup contacts *~Maëlys Kerbrat
postes enregistrés Saint-Étienne => list jobs status=saved location~Saint-Étienne
postes hybrides administrateur réseau => list jobs remote_type=hybrid title~administrateur réseau
emplois à Annecy, 36 000 € minimum => list jobs location~Annecy salary_min>=36000
les 5 postes les plus récents => list jobs by created_at desc limit 5
candidature Ferro'Ouest où ça en est => lookup jobs *~Ferro'Ouest
candidatures de janvier => list jobs status>=applied status@january
mail de Yanis Belkacem => lookup contacts *~Yanis Belkacem
Combien de postes de kinésithérapeute ai-je à La Roche-sur-Yon ? => count jobs title~kinésithérapeute location~La Roche-sur-Yon
À quels postes ai-je postulé cette semaine ? => list jobs status>=applied status@this_week
Quel est le salaire du poste chez Aqua 3000 ? => lookup jobs *~Aqua 3000
Montre-moi les postes pour lesquels je suis en phase d'entretien. => list jobs status=interviewing
Quels postes à Grenoble paient plus de 40 000 euros ? => list jobs location~Grenoble salary_min>=40001
Quelle est l'adresse e-mail de Solène de La Tour ? => lookup contacts *~Solène de La Tour
Dans quelle entreprise travaille Gaspard Nguyen ? => lookup contacts *~Gaspard Nguyen
Combien de refus ai-je reçus en septembre ? => count jobs status=rejected status@september
Quand ai-je postulé à la Clinique des Tilleuls ? => lookup jobs *~Clinique des Tilleuls
Affiche tous les postes chez Lexi-Trad. => list jobs company~Lexi-Trad
Combien de lettres de motivation ai-je enregistrées ? => count documents kind=cover_letter
Quels emplois ai-je ajoutés la semaine dernière ? => list jobs created_at@last_week
Où se trouve le poste chez Dubreuil Chauffage ? => lookup jobs *~Dubreuil Chauffage
Quels sont les trois postes d'économiste les mieux payés ? => list jobs title~économiste by salary_min desc limit 3
Combien de contacts ai-je chez Réseaux du Rhône ? => count contacts company~Réseaux du Rhône
Peux-tu afficher la liste de mes entreprises ? => list companies
Pour quels postes ai-je reçu un refus aujourd'hui ? => list jobs status=rejected status@today
salut, tu peux me sortir les postes de caissière à Béziers stp ? => list jobs title~caissière location~Béziers
ma conseillère me demande, j'ai envoyé combien de candidatures ce mois-ci ? => count jobs status>=applied status@this_month
coucou, c'est quoi déjà le numéro de Jean-Loup Ferrandi ? je dois l'appeler => lookup contacts *~Jean-Loup Ferrandi
bon alors, ça en est où ma candidature chez Voltige & Cie ? => lookup jobs *~Voltige & Cie
dis, je connais qui chez Trans'Alpes Fret ? => list contacts company~Trans'Alpes Fret
j'ai plus de voiture en ce moment, du coup montre-moi juste les postes de traducteur en télétravail => list jobs remote_type=remote title~traducteur
ça fait un peu mal mais bon, combien de postes m'ont été refusés jusqu'ici ? => count jobs status=rejected
j'me rappelle plus, les postes que j'ai mis de côté comme contrôleur c'est lesquels ? => list jobs status=saved title~contrôleur
stp montre moi tous mes contacts => list contacts
bonjour, j'aurais besoin de voir tous mes documents svp, merci d'avance => list documents
petite question vite fait : ça paie combien le poste chez Orvane Santé ? => lookup jobs *~Orvane Santé
bon je m'y remets, quels postes j'ai ajoutés ce mois-ci ? => list jobs created_at@this_month
hello !! les postes en hybride à Metz à partir de 33k s'il te plaît => list jobs remote_type=hybrid location~Metz salary_min>=33000
j'ai perdu le fil... à quels postes j'ai postulé hier ? => list jobs status>=applied status@yesterday
j'en ai combien, des contacts, au total ? => count contacts
tu me montres les postes où on m'a dit non la semaine dernière ? merci bcp => list jobs status=rejected status@last_week
postes architecte Nantes => list jobs title~architecte location~Nantes
emplois couvreur Saint-Étienne => list jobs title~couvreur location~Saint-Étienne
postes d'orthophoniste à Quimper => list jobs title~orthophoniste location~Quimper
postes conseiller fiscal en télétravail => list jobs remote_type=remote title~conseiller fiscal
jobs hybrides minimum 42 000 € => list jobs remote_type=hybrid salary_min>=42000
tél Maëlle Le Guennec => lookup contacts *~Maëlle Le Guennec
contacts chez Toitures Ferrand & Fils => list contacts company~Toitures Ferrand & Fils
nombre de postes sauvegardés => count jobs status=saved
les 4 postes les plus récents => list jobs by created_at desc limit 4
candidatures envoyées aujourd'hui => list jobs status>=applied status@today
postes chez Atelier 3 Pignons => list jobs company~Atelier 3 Pignons
emplois facteur sur site Brive-la-Gaillarde => list jobs remote_type=onsite title~facteur location~Brive-la-Gaillarde
jobs barista à Lille plus de 24 000 euros => list jobs title~barista location~Lille salary_min>=24001
Quelle est l'adresse mail de Baptiste d'Aubrac ? => lookup contacts *~Baptiste d'Aubrac
À quelle date ai-je postulé chez Brûlerie du Quai ? => lookup jobs *~Brûlerie du Quai
Quel est le salaire du poste chez Fiscalis Moreau ? => lookup jobs *~Fiscalis Moreau
Quels postes à Grenoble paient au moins 35 000 euros ? => list jobs location~Grenoble salary_min>=35000
À combien de postes ai-je postulé hier ? => count jobs status>=applied status@yesterday
Affiche les deux postes les mieux payés à Dijon. => list jobs location~Dijon by salary_min desc limit 2
Combien de contacts ai-je chez Grand Pavois Événements ? => count contacts company~Grand Pavois Événements
Pour quelle entreprise travaille Soizic Kerjean ? => lookup contacts *~Soizic Kerjean
Pour quels postes ai-je reçu un refus la semaine dernière ? => list jobs status=rejected status@last_week
Pour combien de postes ai-je retiré ma candidature ? => count jobs status=withdrawn
Quels postes de chef de projet événementiel ai-je sauvegardés à Bordeaux ? => list jobs status=saved title~chef de projet événementiel location~Bordeaux
Dans quelle ville se trouve le poste chez Orthovox 44 ? => lookup jobs *~Orthovox 44
Combien d'emplois en télétravail ai-je ajoutés le mois dernier ? => count jobs remote_type=remote created_at@last_month
Quels postes ai-je acceptés ? => list jobs status=accepted
salut, tu peux me sortir les postes de serveur à Toulouse stp => list jobs title~serveur location~Toulouse
coucou, j'ai postulé à combien de jobs cette semaine ? => count jobs status>=applied status@this_week
c'est pour mon conseiller France Travail : les postes auxquels j'ai postulé ce mois-ci svp => list jobs status>=applied status@this_month
dis, c'est quoi le numéro de Fatoumata N'Diaye-Roche, faut que je la rappelle => lookup contacts *~Fatoumata N'Diaye-Roche
ça en est où le poste chez Lauze & Zinc ? merci d'avance => lookup jobs *~Lauze & Zinc
pfff, combien de refus j'ai eus aujourd'hui => count jobs status=rejected status@today
je suis en tournée là, tu me montres vite fait les jobs de facteur à Vierzon ? => list jobs title~facteur location~Vierzon
bonjour, pourriez-vous m'afficher mes contacts de la société Hélio-Kervadec s'il vous plaît => list contacts company~Hélio-Kervadec
jsuis perdu, j'ai combien de lettres de motivation en tout ? => count documents kind=cover_letter
t'aurais le mail de Jean-Loup Astruc ? merci => lookup contacts *~Jean-Loup Astruc
désolé de te déranger mais il paie combien le job chez Comptoir 1887 => lookup jobs *~Comptoir 1887
vas-y fais voir les postes hybrides d'architecte d'intérieur => list jobs remote_type=hybrid title~architecte d'intérieur
mon mari me demande pour combien de postes j'ai reçu une offre, alors ? => count jobs status=offer
stp montre-moi tous mes documents, je range un peu => list documents
au fait j'ai combien de contacts maintenant ?? => count contacts
bon, le chantier est fini pour aujourd'hui, montre les jobs de zingueur à plus de 30k => list jobs title~zingueur salary_min>=30001
postes de fleuriste à Saint-Brieuc => list jobs title~fleuriste location~Saint-Brieuc
emplois psychologue en télétravail => list jobs remote_type=remote title~psychologue
postes sauvegardés => list jobs status=saved
numéro de téléphone Maëlle Kervadec => lookup contacts *~Maëlle Kervadec
contacts chez Assurances Delvaux & Fils => list contacts company~Assurances Delvaux & Fils
postes de grutier en présentiel => list jobs remote_type=onsite title~grutier
emplois chez Biolab 34 => list jobs company~Biolab 34
postes de technicienne de laboratoire à partir de 28 000 € => list jobs title~technicienne de laboratoire salary_min>=28000
jobs hybrides à Villeneuve-d'Ascq => list jobs remote_type=hybrid location~Villeneuve-d'Ascq
adresse mail Théodore N'Guessan => lookup contacts *~Théodore N'Guessan
postes de guide touristique où j'ai postulé => list jobs status>=applied title~guide touristique
salaire du poste au Conservatoire des Trois-Rivières => lookup jobs *~Conservatoire des Trois-Rivières
Quels emplois à Bourg-en-Bresse ai-je sauvegardés ? => list jobs status=saved location~Bourg-en-Bresse
Quel est le numéro de Solène de La Villardière ? => lookup contacts *~Solène de La Villardière
Quand est-ce que j'ai postulé au poste chez Levage Atlantique ? => lookup jobs *~Levage Atlantique
Combien de refus ai-je reçus en novembre ? => count jobs status=rejected status@november
Quels postes de gestionnaire de sinistres sont en hybride ? => list jobs remote_type=hybrid title~gestionnaire de sinistres
Combien paie le poste chez Pivoine & Cie ? => lookup jobs *~Pivoine & Cie
Peux-tu me lister toutes les entreprises ? => list companies
Dans quelle entreprise travaille Idriss Benhamouda ? => lookup contacts *~Idriss Benhamouda
Quels postes de professeur de musique paient plus de 26 000 euros ? => list jobs title~professeur de musique salary_min>=26001
Combien de documents ai-je au total ? => count documents
Quels postes est-ce que j'ai ajoutés hier ? => list jobs created_at@yesterday
Où en est le poste à la Clinique du Val-Fleuri ? => lookup jobs *~Clinique du Val-Fleuri
Combien de postes de psychologue à Nîmes ai-je sauvegardés ? => count jobs status=saved title~psychologue location~Nîmes
Quels contacts est-ce que j'ai chez Voyages Tramontane ? => list contacts company~Voyages Tramontane
Pour quels postes ai-je retiré ma candidature le mois dernier ? => list jobs status=withdrawn status@last_month
coucou, dis-moi j'ai sauvegardé combien de postes en tout ? => count jobs status=saved
Bonjour, ma conseillère France Travail me réclame le chiffre : j'ai postulé à combien de postes ce mois-ci ? => count jobs status>=applied status@this_month
j'ai encore perdu mon carnet, tu peux me redonner le mail de Bérengère Lhuillier stp ? => lookup contacts *~Bérengère Lhuillier
bon allez, café en main, montre-moi les postes de fleuriste à Aix-les-Bains => list jobs title~fleuriste location~Aix-les-Bains
dsl de te déranger, il en est où le poste chez Mutuelle Garance déjà ? => lookup jobs *~Mutuelle Garance
chui en pause là, fais voir les jobs de grutier à Dunkerque stp => list jobs title~grutier location~Dunkerque
re ! c'est quoi les postes que j'ai ajoutés aujourd'hui ? merci => list jobs created_at@today
pfff quelle journée... montre-moi juste les postes en télétravail que j'ai sauvegardés => list jobs status=saved remote_type=remote
Mon loyer vient d'augmenter, alors affiche-moi seulement les postes à au moins 35k, merci bien => list jobs salary_min>=35000
euh j'ai combien de lettres de motivation au fait => count documents kind=cover_letter
Allô, j'ai appliqué sur combien de jobs à Trois-Rivières, je m'y perds là => count jobs status>=applied location~Trois-Rivières
je sais plus du tout, j'ai combien de contacts chez Analyses Médicales du Rhône ? => count contacts company~Analyses Médicales du Rhône
bon sois franc, combien de refus j'ai pris cette semaine ? => count jobs status=rejected status@this_week
vite vite mon bus arrive, les 4 postes les plus récents stp => list jobs by created_at desc limit 4
Salut ! Pour préparer mon planning, quels sont les postes où je suis en cours d'entretien ? => list jobs status=interviewing
Merci beaucoup ! Et sinon, à quels postes de guide-conférencière j'ai postulé en avril ? => list jobs status>=applied title~guide-conférencière status@april
postes à Villeurbanne => list jobs location~Villeurbanne
postes de chimiste à Lacq => list jobs title~chimiste location~Lacq
postes chez Maillard & Fils => list jobs company~Maillard & Fils
contacts chez Orthéa Dentaire => list contacts company~Orthéa Dentaire
téléphone de Solène Le Guennec => lookup contacts *~Solène Le Guennec
postes de cariste à Saint-Quentin-Fallavier => list jobs title~cariste location~Saint-Quentin-Fallavier
postes hybrides à plus de 42 000 € => list jobs remote_type=hybrid salary_min>=42001
mail d'Aurélien Kervadec => lookup contacts *~Aurélien Kervadec
postes avec refus le mois dernier => list jobs status=rejected status@last_month
liste de mes contacts => list contacts
Quels postes d'assistante dentaire à Quimper ai-je enregistrés ? => list jobs status=saved title~assistante dentaire location~Quimper
Quand ai-je postulé chez Atelier 17 ? => lookup jobs *~Atelier 17
Combien de contacts ai-je chez Lorrain Chimie ? => count contacts company~Lorrain Chimie
Quelle est l'adresse e-mail de Bérénice Dutilleul ? => lookup contacts *~Bérénice Dutilleul
Affiche tous les postes qui paient au moins 36 000 euros. => list jobs salary_min>=36000
Pour quels postes suis-je en cours d'entretiens ? => list jobs status=interviewing
Où en est le poste chez Delaunay-Prigent ? => lookup jobs *~Delaunay-Prigent
Combien paie le poste chez Plume d'Encre ? => lookup jobs *~Plume d'Encre
Pour quelle entreprise travaille Yohan Taillefer ? => lookup contacts *~Yohan Taillefer
Combien de postes de vendeuse ai-je à Montbéliard ? => count jobs title~vendeuse location~Montbéliard
Montre-moi toutes les entreprises que j'ai enregistrées. => list companies
À quels postes ai-je postulé en mars ? => list jobs status>=applied status@march
coucou, tu peux me sortir les postes de prof à Douarnenez stp => list jobs title~prof location~Douarnenez
dis, j'ai postulé à combien de postes ce mois-ci ? mon conseiller me le demande => count jobs status>=applied status@this_month
c'est quoi déjà le numéro de Mme Etcheverry ? je dois la rappeler => lookup contacts *~Etcheverry
bonjour, j'aimerais revoir les postes de designer produit en télétravail, merci d'avance => list jobs title~designer produit remote_type=remote
bon alors, on en est où avec le job chez Brunoy 3D ? => lookup jobs *~Brunoy 3D
je connais qui chez Transports Vasseur déjà ? => list contacts company~Transports Vasseur
allez, montre les postes qui m'ont dit non cette semaine => list jobs status=rejected status@this_week
petite question, j'ai combien de gens dans mes contacts maintenant => count contacts
excuse-moi de te déranger encore, il se trouve où le poste de chez Galipette & Cie ? => lookup jobs *~Galipette & Cie
j'ai 5 min devant moi, fais voir tous les postes de rédactrice que j'ai mis de côté => list jobs status=saved title~rédactrice
Salut ! combien de candidatures j'ai envoyées en tout stp ? => count jobs status>=applied
tu me files les 4 postes les mieux payés svp => list jobs by salary_min desc limit 4
j'ai retiré ma candidature pour combien de postes au final ?? => count jobs status=withdrawn
pour mon dossier France Travail, tu peux me lister les postes où j'ai postulé le mois dernier ? => list jobs status>=applied status@last_month
hello, je voudrais les postes sur site à Bourg-en-Bresse s'il te plaît => list jobs remote_type=onsite location~Bourg-en-Bresse
aujourd'hui je trie tout, alors montre-moi tous mes documents => list documents
postes à Saint-Brieuc => list jobs location~Saint-Brieuc
postes enregistrés => list jobs status=saved
postes en télétravail chez Brunel & Fils => list jobs remote_type=remote company~Brunel & Fils
postes de dentiste à Annecy => list jobs title~dentiste location~Annecy
postes où j'ai été refusé le mois dernier => list jobs status=rejected status@last_month
emplois ajoutés hier => list jobs created_at@yesterday
postes à 42 000 euros minimum => list jobs salary_min>=42000
contacts chez Laiterie du Val-d'Aulne => list contacts company~Laiterie du Val-d'Aulne
postes hybrides à Namur => list jobs remote_type=hybrid location~Namur
les cinq postes les plus récents => list jobs by created_at desc limit 5
téléphone de Maëlys Kerguelen => lookup contacts *~Maëlys Kerguelen
postes chez Atelier 12 => list jobs company~Atelier 12
emplois de vendeuse => list jobs title~vendeuse
les trois postes les mieux payés => list jobs by salary_min desc limit 3
postes sur site à Vierzon => list jobs remote_type=onsite location~Vierzon
Quel est le salaire du poste chez Transports Gaudry ? => lookup jobs *~Transports Gaudry
Combien de contacts ai-je dans ma liste ? => count contacts
Quelle est l'adresse mail de Théo de La Brosse ? => lookup contacts *~Théo de La Brosse
Montre-moi les postes qui paient plus de 50 000 euros. => list jobs salary_min>=50001
Pour combien de postes ai-je été refusé ce mois-ci ? => count jobs status=rejected status@this_month
Qui est-ce que je connais chez Morvan, Leduc & Associés ? => list contacts company~Morvan, Leduc & Associés
Dans quelle entreprise travaille Nadia Ould-Slimane ? => lookup contacts *~Nadia Ould-Slimane
Peux-tu lister les postes de directeur d'hôtel à Biarritz ? => list jobs title~directeur d'hôtel location~Biarritz
De quels postes ai-je retiré ma candidature ? => list jobs status=withdrawn
coucou, tu peux me sortir les postes où j'ai postulé cette semaine ? ma conseillère les demande => list jobs status>=applied status@this_week
dis, j'ai eu un refus pour combien de postes la semaine dernière ?? => count jobs status=rejected status@last_week
bonjour, où en est ma candidature à la Ferme des Trois Buis svp => lookup jobs *~Ferme des Trois Buis
désolé je retrouve plus, c'est quoi déjà le numéro de Jean-Baptiste Roumagnac => lookup contacts *~Jean-Baptiste Roumagnac
bon, quels postes paient au moins 35k, parce que le loyer, hein... => list jobs salary_min>=35000
juste par curiosité, j'ai reçu une offre pour combien de postes jusqu'ici ? => count jobs status>=offer
stp montre moi tous les postes de mécanicien à Montluçon => list jobs title~mécanicien location~Montluçon
j'ai cinq minutes devant moi, fais voir les postes que j'ai ajoutés la semaine dernière => list jobs created_at@last_week
allez, donne-moi les dix postes les plus récents => list jobs by created_at desc limit 10
je sais plus où se trouve le poste chez Nova 88, tu peux me le dire ? => lookup jobs *~Nova 88
s'il te plaît, tous les postes d'attachée de presse en télétravail, j'en peux plus du RER => list jobs remote_type=remote title~attachée de presse
j'ai combien de documents là-dedans maintenant, ça doit commencer à faire => count documents
merci pour tout à l'heure ! et maintenant les postes où j'ai été refusé en février stp => list jobs status=rejected status@february
je vais au salon demain, c'est qui mes contacts chez Hydro-Sud ? => list contacts company~Hydro-Sud
euh, à quels postes j'ai postulé aujourd'hui en fait => list jobs status>=applied status@today
salut, rappelle-moi quel poste j'ai accepté => list jobs status=accepted
"""

SPANISH = """
puestos de soldador en Avilés => list jobs title~soldador location~Avilés
contactos en Bufete Larrañaga e Hijos => list contacts company~Bufete Larrañaga e Hijos
rechazos de abril => list jobs status=rejected status@april
teléfono Maruja Etxeberria => lookup contacts *~Maruja Etxeberria
puestos híbridos de diseñadora gráfica en Valencia => list jobs remote_type=hybrid title~diseñadora gráfica location~Valencia
puestos de 24.000 euros o más => list jobs salary_min>=24000
puestos presenciales mozo de almacén Alcalá de Henares => list jobs remote_type=onsite title~mozo de almacén location~Alcalá de Henares
últimos 5 puestos añadidos => list jobs by created_at desc limit 5
candidaturas enviadas esta semana => list jobs status>=applied status@this_week
estado Almacenes Peña 88 => lookup jobs *~Almacenes Peña 88
puestos de la empresa Talleres Íñiguez & Co => list jobs company~Talleres Íñiguez & Co
correo de Fermín del Olmo-Saavedra => lookup contacts *~Fermín del Olmo-Saavedra
todos mis documentos => list documents
puestos en fase de entrevista => list jobs status=interviewing
¿A cuántos puestos me he postulado este mes? => count jobs status>=applied status@this_month
¿Cuándo envié la candidatura a Clínica Valdelagrana? => lookup jobs *~Clínica Valdelagrana
¿Qué puestos pagan más de 30.000 euros? => list jobs salary_min>=30001
¿Para quién trabaja Ainhoa Urrutikoetxea? => lookup contacts *~Ainhoa Urrutikoetxea
¿Cuáles son los cuatro puestos mejor pagados? => list jobs by salary_min desc limit 4
¿Qué puestos añadí ayer? => list jobs created_at@yesterday
¿Cuántos contactos tengo en Metalúrgica del Bierzo? => count contacts company~Metalúrgica del Bierzo
¿Cuál es el correo electrónico de Leopoldo Ñíguez? => lookup contacts *~Leopoldo Ñíguez
Muéstrame los puestos de enfermera en San Luis Potosí. => list jobs title~enfermera location~San Luis Potosí
¿Cuántas cartas de presentación agregué la semana pasada? => count documents kind=cover_letter created_at@last_week
¿Qué candidaturas he retirado? => list jobs status=withdrawn
¿Dónde está el puesto de Editorial Zarzamora? => lookup jobs *~Editorial Zarzamora
¿Qué empresas añadí en junio? => list companies created_at@june
¿En qué puestos me han hecho una oferta? => list jobs status>=offer
¿Cuánto paga el trabajo de Logística Trébol 3? => lookup jobs *~Logística Trébol 3
Enséñame los puestos de abogada júnior en remoto. => list jobs title~abogada júnior remote_type=remote
oye porfa sácame los curros de carretillero en Getafe => list jobs title~carretillero location~Getafe
buenas, cuántas candidaturas llevo enviadas? es pa mi hermana que no me cree => count jobs status>=applied
Buenos días, ¿sería tan amable de decirme el teléfono de doña Remedios Quintanilla? Muchas gracias. => lookup contacts *~Remedios Quintanilla
a ver cómo va lo de Forjas Goñi, que estoy de los nervios => lookup jobs *~Forjas Goñi
voy saliendo del turno, pásame los trabajos que agregué hoy plis => list jobs created_at@today
che, mostrame los contactos que tengo en Estudio Ñandú => list contacts company~Estudio Ñandú
xfa lista solo los puestos en remoto de ilustradora => list jobs remote_type=remote title~ilustradora
uf cuántos rechazos me llegaron esta semana??? => count jobs status=rejected status@this_week
como no tengo coche, ¿dónde era el trabajo de Residencia Los Almendros? gracias => lookup jobs *~Residencia Los Almendros
hola! me enseñas todos los contactos? tengo q hacer limpieza => list contacts
venga, los 3 puestos añadidos más recientes, que se me enfría el café => list jobs by created_at desc limit 3
muéstrame los trabajos de al menos 22 mil porfa, que el alquiler no se paga solo => list jobs salary_min>=22000
perdona que moleste otra vez, ¿qué correo tenía Xoán Rebollo-Pazos? => lookup contacts *~Xoán Rebollo-Pazos
Disculpe, quisiera ver los puestos de maestra de primaria en Ávila, si no es molestia. => list jobs title~maestra de primaria location~Ávila
jaja a ver, los trabajos en los que me rechazaron, ya sin llorar => list jobs status=rejected
neta ya no me acuerdo, cuándo apliqué a Grupo Tlacuache 21? => lookup jobs *~Grupo Tlacuache 21
puestos de carpintero en Cuenca => list jobs title~carpintero location~Cuenca
vacantes de la empresa Belloso & Cía => list jobs company~Belloso & Cía
rechazos de este mes => list jobs status=rejected status@this_month
teléfono de Maite Goicolea => lookup contacts *~Maite Goicolea
contactos de Talleres Quiñonero => list contacts company~Talleres Quiñonero
empleos conductor de autobús Albacete => list jobs title~conductor de autobús location~Albacete
trabajos remotos de 30.000 € o más => list jobs remote_type=remote salary_min>=30000
estado candidatura Bodegas Tres Llaves 1912 => lookup jobs *~Bodegas Tres Llaves 1912
cuántas cartas de presentación => count documents kind=cover_letter
puestos híbridos en Sant Cugat del Vallès => list jobs remote_type=hybrid location~Sant Cugat del Vallès
empleos añadidos el mes pasado => list jobs created_at@last_month
los 4 trabajos mejor pagados => list jobs by salary_min desc limit 4
correo de Íñigo de la Fuensanta => lookup contacts *~Íñigo de la Fuensanta
candidaturas retiradas => list jobs status=withdrawn
puestos de analista de datos más de 35k => list jobs title~analista de datos salary_min>=35001
¿Cuántas candidaturas envié en abril? => count jobs status>=applied status@april
¿Cuántos contactos tengo en total? => count contacts
¿Cuándo me postulé en Ñandú Catering? => lookup jobs *~Ñandú Catering
¿Cuál es el correo de Xiomara Betancur? => lookup contacts *~Xiomara Betancur
Muéstrame los puestos en Ciudad Real que paguen al menos 24.000 euros. => list jobs location~Ciudad Real salary_min>=24000
¿A quién conozco en Asesores Almagro-Peña? => list contacts company~Asesores Almagro-Peña
¿En cuántos puestos me han rechazado en enero? => count jobs status=rejected status@january
¿Cuánto pagan en el puesto de Cocinas Lumbre 7? => lookup jobs *~Cocinas Lumbre 7
¿Qué empresas he añadido esta semana? => list companies created_at@this_week
¿Para qué empresa trabaja Nicanor Echeverri? => lookup contacts *~Nicanor Echeverri
¿Me puedes enseñar todas mis cartas de presentación? => list documents kind=cover_letter
¿En qué puestos estoy en fase de entrevistas? => list jobs status=interviewing
Enséñame los trabajos de jefe de cocina en San Sebastián, por favor. => list jobs title~jefe de cocina location~San Sebastián
¿Cuáles son los siete últimos puestos que añadí? => list jobs by created_at desc limit 7
¿Cómo va mi candidatura en Ebanistas del Ebro? => lookup jobs *~Ebanistas del Ebro
¿Qué puestos de office manager son presenciales? => list jobs remote_type=onsite title~office manager
buenas, cuántos trabajos tengo metidos ya en total? => count jobs
oye pásame el móvil de Chema Valdeolivas que le tengo q llamar ya => lookup contacts *~Chema Valdeolivas
porfa enséñame los puestos de contable en remoto, gracias!! => list jobs remote_type=remote title~contable
mi novia no se lo cree, cuántos rechazos me cayeron ayer? => count jobs status=rejected status@yesterday
dónde era el trabajo de Maderas Urrutikoetxea? no me acuerdo si queda lejos => lookup jobs *~Maderas Urrutikoetxea
hola qué tal, me sacas todos los trabajos que paguen más de 28.000? es para hacer números => list jobs salary_min>=28001
a ver... qué puestos tengo con estado aceptado? es que ya me lío => list jobs status=accepted
estoy organizándome la semana, ponme los trabajos de Zaragoza anda => list jobs location~Zaragoza
se me borró la agenda, me das otra vez el email de Rosalía Ibarguren? => lookup contacts *~Rosalía Ibarguren
a qué trabajos apliqué la semana pasada? tengo la cabeza en otro lado jaja => list jobs status>=applied status@last_week
che, a quién tengo de contacto en Los Dos Tanos SRL? => list contacts company~Los Dos Tanos SRL
puestos de dependienta en Guadalajara porfis, q entro a clase => list jobs title~dependienta location~Guadalajara
perdona que insista, cuándo apliqué a Ruedas & Rutas? me lo están preguntando => lookup jobs *~Ruedas & Rutas
para el SEPE: cuántas candidaturas he mandado este mes? => count jobs status>=applied status@this_month
cuántos documentos hay por aquí, solo por saber => count documents
venga, mis 3 trabajos mejor pagados y te dejo tranquila => list jobs by salary_min desc limit 3
empleos electricista Zaragoza => list jobs title~electricista location~Zaragoza
rechazos mes pasado => list jobs status=rejected status@last_month
contactos en Hnos. Urrutia & Cía => list contacts company~Hnos. Urrutia & Cía
tester QA remoto => list jobs title~tester QA remote_type=remote
teléfono Begoña de la Hoz => lookup contacts *~Begoña de la Hoz
postulaciones de abril => list jobs status>=applied status@april
puestos mínimo 30000 => list jobs salary_min>=30000
empleos guardados Valencia => list jobs status=saved location~Valencia
los 3 empleos mejor pagados => list jobs by salary_min desc limit 3
farmacéutica Málaga => list jobs title~farmacéutica location~Málaga
repartidor en Guadalajara => list jobs title~repartidor location~Guadalajara
empleos presenciales => list jobs remote_type=onsite
trabajos añadidos ayer => list jobs created_at@yesterday
estado Farmacia Ntra. Sra. del Pilar => lookup jobs *~Farmacia Ntra. Sra. del Pilar
vacantes híbridas Monterrey => list jobs remote_type=hybrid location~Monterrey
¿Cuándo apliqué a Escuela Infantil Garabatos 22? => lookup jobs *~Escuela Infantil Garabatos 22
¿Cuál es el correo de Nahuel Etcheverry? => lookup contacts *~Nahuel Etcheverry
¿Cuánto paga el puesto en Instalaciones Ríos-Cabral? => lookup jobs *~Instalaciones Ríos-Cabral
¿En qué empleos estoy en proceso de entrevistas? => list jobs status=interviewing
Muéstrame los puestos de recepcionista en Cádiz. => list jobs title~recepcionista location~Cádiz
¿Para qué empresa trabaja Itziar Goikoetxea Ruiz? => lookup contacts *~Itziar Goikoetxea Ruiz
¿Cuántos rechazos recibí en febrero? => count jobs status=rejected status@february
¿Qué trabajos ofrecen más de 36.000 euros? => list jobs salary_min>=36001
¿Cuántos contactos tengo en Hotel Miramar 1924? => count contacts company~Hotel Miramar 1924
¿En qué ciudad es el trabajo de Brújula Comunicación? => lookup jobs *~Brújula Comunicación
¿Qué empresas tengo en la lista? => list companies
¿Cuáles son los cinco últimos trabajos que he añadido? => list jobs by created_at desc limit 5
¿De qué empleos retiré mi candidatura el mes pasado? => list jobs status=withdrawn status@last_month
¿Cuántos documentos tengo en total? => count documents
Enséñame los empleos remotos de gerente de marketing en Bogotá. => list jobs remote_type=remote title~gerente de marketing location~Bogotá
¿Qué contactos agregué esta semana? => list contacts created_at@this_week
holaa, me pasas el teléfono de Chema Larrañaga porfa => lookup contacts *~Chema Larrañaga
oye y cómo va lo de Talleres 2 Hermanos? => lookup jobs *~Talleres 2 Hermanos
mi madre no para de preguntar jaja a cuántos trabajos he aplicado este mes? => count jobs status>=applied status@this_month
che, mostrame los laburos de electricista en Rosario dale => list jobs title~electricista location~Rosario
buenas, a quién conozco en Grupo Peñafiel & Asociados? => list contacts company~Grupo Peñafiel & Asociados
estoy harto del metro, enséñame los trabajos en remoto anda => list jobs remote_type=remote
perdona que moleste otra vez, cuántas cartas de presentación llevo? => count documents kind=cover_letter
a ver, qué trabajos añadí hoy que ya ni me acuerdo => list jobs created_at@today
con lo que cuesta el alquiler.. ponme los diez empleos mejor pagados => list jobs by salary_min desc limit 10
órale pues, enséñame las chambas en Querétaro por favor => list jobs location~Querétaro
uf, en qué empleos me rechazaron en enero? quiero verlo de una vez => list jobs status=rejected status@january
Buenas tardes, ¿sería tan amable de decirme cuánto paga el puesto en Laboratorios Vela-Quintanar? => lookup jobs *~Laboratorios Vela-Quintanar
porfis dame el mail de la señora Zubizarreta que tengo que escribirle ya => lookup contacts *~Zubizarreta
en fin, un poco de alegría, enséñame los trabajos donde tengo una oferta => list jobs status=offer
graciaaas, quiero ver los empleos de maestra de infantil en Sevilla => list jobs title~maestra de infantil location~Sevilla
tengo 2 min antes de entrar al turno, cuántos empleos de repartidor tengo? => count jobs title~repartidor
empleos en Ponferrada => list jobs location~Ponferrada
peluquera en Chiclana => list jobs title~peluquera location~Chiclana
rechazos semana pasada => list jobs status=rejected status@last_week
candidaturas mayo => list jobs status>=applied status@may
contactos en Hermanos Ibarlucea => list contacts company~Hermanos Ibarlucea
jefa de proyecto remoto => list jobs remote_type=remote title~jefa de proyecto
bibliotecario híbrido Alcázar de San Juan => list jobs remote_type=hybrid title~bibliotecario location~Alcázar de San Juan
camionero más de 27000 => list jobs title~camionero salary_min>=27001
teléfono Begoña Urrutikoetxea => lookup contacts *~Begoña Urrutikoetxea
total de empresas => count companies
los 5 empleos más recientes => list jobs by created_at desc limit 5
empleos guardados de dependienta => list jobs status=saved title~dependienta
entrevistas en curso => list jobs status=interviewing
empleos añadidos ayer => list jobs created_at@yesterday
correo Íñigo Sáenz de Tejada => lookup contacts *~Íñigo Sáenz de Tejada
¿Cuántas candidaturas envié el mes pasado? => count jobs status>=applied status@last_month
¿Cuándo me postulé a Áridos del Jiloca? => lookup jobs *~Áridos del Jiloca
¿Qué salario ofrece Peluquería Ñandú? => lookup jobs *~Peluquería Ñandú
¿Para qué empresa trabaja Ximena Altolaguirre? => lookup contacts *~Ximena Altolaguirre
¿A quién conozco en Grupo 7 Mares? => list contacts company~Grupo 7 Mares
Muéstrame los puestos de ingeniera civil en Talavera de la Reina. => list jobs title~ingeniera civil location~Talavera de la Reina
¿Cuántos rechazos tuve en diciembre? => count jobs status=rejected status@december
¿Qué trabajos remotos pagan al menos 32.000 euros? => list jobs remote_type=remote salary_min>=32000
¿En qué puestos me han rechazado este mes? => list jobs status=rejected status@this_month
¿Me puedes listar todas las empresas? => list companies
¿Dónde está el puesto de auxiliar de biblioteca? => lookup jobs *~auxiliar de biblioteca
¿Cuáles son los tres trabajos mejor pagados? => list jobs by salary_min desc limit 3
¿Cuántos trabajos he añadido esta semana? => count jobs created_at@this_week
¿En qué estado está mi solicitud a Laboratorios Quiñonero-Vidal? => lookup jobs *~Laboratorios Quiñonero-Vidal
¿Cuántas cartas de presentación hay en mis documentos? => count documents kind=cover_letter
holaa, a cuántos curros me he apuntado esta semana? => count jobs status>=applied status@this_week
oye pásame el tel de Paco Mondéjar porfa que lo tengo que llamar ya => lookup contacts *~Paco Mondéjar
perdona que te moleste otra vez, cómo va lo de Transportes Echenique 24h? => lookup jobs *~Transportes Echenique 24h
buenas! sácame las chambas en Tlaquepaque porfis => list jobs location~Tlaquepaque
che, cuántos laburos tengo en etapa de entrevista? me pregunta mi vieja => count jobs status=interviewing
uf qué día... enséñame los rechazos de ayer anda => list jobs status=rejected status@yesterday
estoy en el muelle de carga esperando, qué puestos de conductor de tráiler tengo en Zaragoza? => list jobs title~conductor de tráiler location~Zaragoza
por pura curiosidad cuántos documentos tengo subidos => count documents
Buenas tardes, si no es mucha molestia, ¿me muestra mis contactos de Editorial La Garza Azul? => list contacts company~Editorial La Garza Azul
jo, se me ha olvidado, cuánto pagaban en Modas D'Elia? => lookup jobs *~Modas D'Elia
dime rapidito q puestos de investigadora postdoctoral tengo en guardados => list jobs status=saved title~investigadora postdoctoral
a ver, antes de que entre el jefe, qué trabajos híbridos tengo en Getxo => list jobs remote_type=hybrid location~Getxo
tengo que rellenar lo del paro, a qué trabajos me apunté en abril? => list jobs status>=applied status@april
hola guapi, el mail de Rocío de la Peña-Ruiz cuál era? => lookup contacts *~Rocío de la Peña-Ruiz
venga va, los tres trabajos mejor pagados en Querétaro, que estoy haciendo cuentas => list jobs location~Querétaro by salary_min desc limit 3
qué empleos metí hoy? es q ya no me acuerdo => list jobs created_at@today
panadero Burgos => list jobs title~panadero location~Burgos
rechazos de mayo => list jobs status=rejected status@may
teléfono Begoña Iturralde => lookup contacts *~Begoña Iturralde
contactos en Peláez & Hijos => list contacts company~Peláez & Hijos
empleos desde 24.000 € => list jobs salary_min>=24000
programador remoto => list jobs remote_type=remote title~programador
número de candidaturas esta semana => count jobs status>=applied status@this_week
empleos guardados Vitoria-Gasteiz => list jobs status=saved location~Vitoria-Gasteiz
estado Residencia Los Almendros => lookup jobs *~Residencia Los Almendros
jardinero presencial Elche => list jobs remote_type=onsite title~jardinero location~Elche
total de documentos => count documents
empleos añadidos hoy => list jobs created_at@today
correo Iñaki de la Peña => lookup contacts *~Iñaki de la Peña
¿Cuántas candidaturas envié en septiembre? => count jobs status>=applied status@september
¿Cuándo me postulé a Diario La Ribera? => lookup jobs *~Diario La Ribera
¿Qué empleos híbridos tengo en Cuenca? => list jobs remote_type=hybrid location~Cuenca
¿En qué empresa trabaja Ximena Quiñones? => lookup contacts *~Ximena Quiñones
¿Qué puestos añadí la semana pasada? => list jobs created_at@last_week
Muéstrame los puestos de técnica de selección que pagan más de 26.000 euros. => list jobs title~técnica de selección salary_min>=26001
¿Cuánto paga el puesto en Atiende 24? => lookup jobs *~Atiende 24
¿A qué empleos me apunté ayer? => list jobs status>=applied status@yesterday
¿A quién conozco en Viveros Sant-Roc? => list contacts company~Viveros Sant-Roc
¿Cuál es el correo electrónico de Nuria Balaguer? => lookup contacts *~Nuria Balaguer
¿Puedes enseñarme los cinco empleos más recientes? => list jobs by created_at desc limit 5
¿Cuántos puestos de auxiliar de geriatría tengo en Logroño? => count jobs title~auxiliar de geriatría location~Logroño
¿En qué empleos estoy en fase de entrevistas? => list jobs status=interviewing
¿Qué rechazos he recibido este mes? => list jobs status=rejected status@this_month
¿De qué candidaturas me retiré el mes pasado? => list jobs status=withdrawn status@last_month
hola guapi, sácame los curros de teleoperador en Getafe porfa => list jobs title~teleoperador location~Getafe
perdona que te moleste otra vez, cuál era el número de Chelo Arizmendi? => lookup contacts *~Chelo Arizmendi
me lo piden en el paro: cuántas candidaturas he mandado este mes?? => count jobs status>=applied status@this_month
estoy en el descanso, dime rápido cómo va lo de Horno Doña Pura => lookup jobs *~Horno Doña Pura
buenas! quiero ver los trabajos en remoto de 40k como mínimo, gracias => list jobs remote_type=remote salary_min>=40000
uf, cuántos rechazos llevo ya en total => count jobs status=rejected
oye q empleos tengo metidos de Zentrix9 => list jobs company~Zentrix9
Buenas noches, ¿sería tan amable de mostrarme todos mis contactos? => list contacts
mi marido no se lo cree, cuántos rechazos me llegaron la semana pasada? => count jobs status=rejected status@last_week
a ver, que se me ha ido de la cabeza, cuándo me apunté a lo de Jardines Núñez-Ferrer? => lookup jobs *~Jardines Núñez-Ferrer
venga, enséñame los puestos que añadí ayer, que aún no me he tomado el café => list jobs created_at@yesterday
porfa ponme los empleos de redactora que tengo guardados, que cierro página en nada => list jobs status=saved title~redactora
ay no me acuerdo... cuánto pagaban en La Voz del Páramo? => lookup jobs *~La Voz del Páramo
me sacas los 4 empleos mejor pagados de zaragoza? a ver si me animo jeje => list jobs location~zaragoza by salary_min desc limit 4
holaa cuantas cartas de presentacion tengo guardadas xfa => count documents kind=cover_letter
antes de que se me olvide, cuántos contactos tengo en Cuidados Alborada? => count contacts company~Cuidados Alborada
puestos de secretaria en Alcalá de Henares => list jobs title~secretaria location~Alcalá de Henares
trabajos de cocinero Gijón => list jobs title~cocinero location~Gijón
empleos remotos de diseñadora web => list jobs remote_type=remote title~diseñadora web
puestos en Iriarte & Hijos => list jobs company~Iriarte & Hijos
puestos híbridos en Zaragoza => list jobs remote_type=hybrid location~Zaragoza
trabajos de mecánico más de 24.000 € => list jobs title~mecánico salary_min>=24001
candidaturas de ayer => list jobs status>=applied status@yesterday
cuántas empresas => count companies
contactos de Vigilancia 360 Sur => list contacts company~Vigilancia 360 Sur
teléfono Begoña Etxeberria => lookup contacts *~Begoña Etxeberria
correo de Íñigo Sáenz de Miera => lookup contacts *~Íñigo Sáenz de Miera
total de cartas de presentación => count documents kind=cover_letter
los 5 puestos más recientes => list jobs by created_at desc limit 5
vacantes guardadas en Cuenca => list jobs status=saved location~Cuenca
puestos aceptados => list jobs status=accepted
los 3 empleos de comercial mejor pagados => list jobs title~comercial by salary_min desc limit 3
¿A cuántos puestos me postulé en abril? => count jobs status>=applied status@april
¿Qué puestos de matrona en Ciudad Real pagan como mínimo 32.000 euros? => list jobs title~matrona location~Ciudad Real salary_min>=32000
¿Cuándo presenté mi candidatura en La Tahona 1912? => lookup jobs *~La Tahona 1912
¿Qué sueldo tiene el puesto en Núñez & Bravo Abogados? => lookup jobs *~Núñez & Bravo Abogados
¿A quién conozco en Grupo Almenara? => list contacts company~Grupo Almenara
¿Cuál es el correo electrónico de Xiomara del Valle? => lookup contacts *~Xiomara del Valle
¿Para qué empresa trabaja Joaquín Uribe-Echevarría? => lookup contacts *~Joaquín Uribe-Echevarría
¿Qué empresas agregué este mes? => list companies created_at@this_month
¿Cuántos contactos tengo en Cocinas Urrutia? => count contacts company~Cocinas Urrutia
¿En qué puestos estoy ahora mismo en proceso de entrevistas? => list jobs status=interviewing
¿De cuántos puestos retiré mi candidatura? => count jobs status=withdrawn
Enséñame los puestos presenciales de vigilante de seguridad. => list jobs remote_type=onsite title~vigilante de seguridad
¿Qué candidaturas me rechazaron en noviembre? => list jobs status=rejected status@november
¿En qué ciudad está el puesto de la Clínica Santa Brígida? => lookup jobs *~Clínica Santa Brígida
Muéstrame los puestos de representante de ventas en San Luis Potosí. => list jobs title~representante de ventas location~San Luis Potosí
¿Cuántos documentos tengo? => count documents
¿Para qué puestos me hicieron una oferta la semana pasada? => list jobs status>=offer status@last_week
oye porfa sácame los curros de vigilante en Dos Hermanas, que se me acaba el paro => list jobs title~vigilante location~Dos Hermanas
buenas, ¿cuántas candidaturas he mandado este mes? mi mujer no me cree => count jobs status>=applied status@this_month
hola q tal, me pasas el teléfono de Nacho Belmonte? tengo q llamarlo ya => lookup contacts *~Nacho Belmonte
los trabajos en remoto plis, q ya no aguanto el metro => list jobs remote_type=remote
perdona la lata, ¿cómo va mi candidatura en el Taller Hermanos Quispe? => lookup jobs *~Taller Hermanos Quispe
a ver, dame los puestos de cocinera que paguen al menos 19.000, que no llego a fin de mes => list jobs title~cocinera salary_min>=19000
dime la verdad jaja en cuántos puestos me han rechazado ya => count jobs status=rejected
voy a entrar de guardia, qué puestos añadí la semana pasada? gracias guapa => list jobs created_at@last_week
uf qué cabeza la mía, cuándo me postulé a Estudio Ñandú? => lookup jobs *~Estudio Ñandú
Buenos días, ¿sería tan amable de mostrarme mis contactos en Ferretería Ocampo? Mil gracias => list contacts company~Ferretería Ocampo
necesito para el SEPE todos los puestos a los que me postulé el mes pasado, gracias!! => list jobs status>=applied status@last_month
che, mostrame los dos puestos mejor pagos en Rosario así me ilusiono un rato => list jobs location~Rosario by salary_min desc limit 2
este... ¿cuánto pagaban en el puesto del Hotel Mirador del Duero? ya ni me acuerdo => lookup jobs *~Hotel Mirador del Duero
porfis búscame todas mis cartas de presentación, que hoy toca ordenar => list documents kind=cover_letter
ando con prisa, enséñame los puestos en Gráficas Puig-Roca => list jobs company~Gráficas Puig-Roca
órale, y cuántas chambas de mecánico tengo en Torreón? es pa contarle a mi jefa => count jobs title~mecánico location~Torreón
puestos de fontanero Albacete => list jobs title~fontanero location~Albacete
empleos en remoto => list jobs remote_type=remote
contactos en Peñalver e Hijos => list contacts company~Peñalver e Hijos
teléfono de Iratxe Goñi => lookup contacts *~Iratxe Goñi
puestos guardados L'Hospitalet de Llobregat => list jobs status=saved location~L'Hospitalet de Llobregat
puestos presenciales de cajera => list jobs remote_type=onsite title~cajera
trabajos en Vigo mínimo 28.000 => list jobs location~Vigo salary_min>=28000
puestos añadidos hoy => list jobs created_at@today
los 3 puestos mejor pagados => list jobs by salary_min desc limit 3
estado candidatura Ferrovías 21 => lookup jobs *~Ferrovías 21
total de contactos => count contacts
candidaturas de mayo => list jobs status>=applied status@may
todas las empresas => list companies
correo de Nahuel Ibarra => lookup contacts *~Nahuel Ibarra
¿Cuántos puestos de fisioterapeuta tengo en San Sebastián? => count jobs title~fisioterapeuta location~San Sebastián
¿A qué puestos me he presentado esta semana? => list jobs status>=applied status@this_week
¿Cuánto pagan en el puesto de Aguas Monteverde? => lookup jobs *~Aguas Monteverde
Muéstrame los puestos en los que estoy en fase de entrevistas. => list jobs status=interviewing
¿Qué trabajos en Zaragoza pagan más de 35.000 euros? => list jobs location~Zaragoza salary_min>=35001
¿Cuál es el correo electrónico de Begoña de la Fuente? => lookup contacts *~Begoña de la Fuente
¿En qué empresa trabaja Xavi Puigdellívol? => lookup contacts *~Xavi Puigdellívol
¿Cuántos rechazos recibí en agosto? => count jobs status=rejected status@august
¿Cuándo mandé mi candidatura a Clínica Los Olmos? => lookup jobs *~Clínica Los Olmos
Enséñame los puestos de Trujamán & Asociados. => list jobs company~Trujamán & Asociados
¿Qué empleos añadí el mes pasado? => list jobs created_at@last_month
¿Dónde está el puesto de Calderas Urrutia? => lookup jobs *~Calderas Urrutia
Muéstrame los cinco puestos de economista más recientes. => list jobs title~economista by created_at desc limit 5
¿Cuántos contactos tengo en Redes del Sur? => count contacts company~Redes del Sur
¿De qué puestos retiré mi candidatura? => list jobs status=withdrawn
holaa, me sacas los puestos de plomero en Querétaro porfa? => list jobs title~plomero location~Querétaro
mi madre no para de preguntar, cuántas candidaturas mandé este mes? => count jobs status>=applied status@this_month
oye, me pasas el número de Chema Larrañaga? que le tengo que llamar ya => lookup contacts *~Chema Larrañaga
a ver, cómo va lo de mi candidatura en Nodo-9 Telecom? => lookup jobs *~Nodo-9 Telecom
buenas, a quién conozco en Mercados La Espiga? => list contacts company~Mercados La Espiga
con los críos no puedo moverme de casa, así que enséñame los puestos de traductora en remoto => list jobs remote_type=remote title~traductora
venga, sin anestesia: en cuántos puestos me han rechazado hasta ahora? => count jobs status=rejected
ya ni me acuerdo, qué puestos de revisor tengo guardados? => list jobs status=saved title~revisor
porfa enséñame todos mis contactos, gracias!! => list contacts
perdona que moleste, me puedes mostrar todos los documentos que tengo? => list documents
una preguntita rápida, cuánto pagan en el trabajo de Rehabilita Norte? => lookup jobs *~Rehabilita Norte
acabo de salir del turno, a ver qué puestos añadí ayer => list jobs created_at@yesterday
hola! los trabajos híbridos en Gijón de 30.000 para arriba, por favor => list jobs remote_type=hybrid location~Gijón salary_min>=30000
me he hecho un lío... a qué puestos me presenté ayer? => list jobs status>=applied status@yesterday
por curiosidad, cuántas empresas llevo ya metidas aquí? => count companies
me enseñas los puestos de administrador de redes en los que me rechazaron el mes pasado? mil gracias => list jobs status=rejected title~administrador de redes status@last_month
puestos arquitecta Zaragoza => list jobs title~arquitecta location~Zaragoza
empleos techador en Cuenca => list jobs title~techador location~Cuenca
puestos de logopeda en Alcalá de Henares => list jobs title~logopeda location~Alcalá de Henares
trabajos en remoto de asesor fiscal => list jobs remote_type=remote title~asesor fiscal
empleos híbridos desde 30.000 euros => list jobs remote_type=hybrid salary_min>=30000
rechazos de ayer => list jobs status=rejected status@yesterday
teléfono de Íñigo Garmendia => lookup contacts *~Íñigo Garmendia
contactos de la empresa Urrutia e Hijos => list contacts company~Urrutia e Hijos
cuántos puestos guardados => count jobs status=saved
trabajos añadidos este mes => list jobs created_at@this_month
los 6 puestos más recientes => list jobs by created_at desc limit 6
candidaturas enviadas la semana pasada => list jobs status>=applied status@last_week
puestos de la empresa Taller Norte 12 => list jobs company~Taller Norte 12
empleos cartero presencial Badajoz => list jobs remote_type=onsite title~cartero location~Badajoz
vacantes de barista en Mérida => list jobs title~barista location~Mérida
trabajos con oferta recibida => list jobs status>=offer
¿Cuántas candidaturas envié en enero? => count jobs status>=applied status@january
¿Cuál es el correo de Montserrat Puigdomènech? => lookup contacts *~Montserrat Puigdomènech
¿Cuándo solicité el puesto en Cafés Ñandú? => lookup jobs *~Cafés Ñandú
¿Qué sueldo tiene el puesto en Larrañaga & Ochoa? => lookup jobs *~Larrañaga & Ochoa
¿Qué puestos en Murcia pagan más de 28.000 euros? => list jobs location~Murcia salary_min>=28001
¿A cuántos empleos en Valladolid me he presentado? => count jobs status>=applied location~Valladolid
Muéstrame los tres empleos mejor pagados. => list jobs by salary_min desc limit 3
¿A quién conozco en Eventos Marejada? => list contacts company~Eventos Marejada
¿En qué empresa trabaja Eulalia de la Fuente? => lookup contacts *~Eulalia de la Fuente
¿En qué puestos me rechazaron este mes? => list jobs status=rejected status@this_month
¿Cuántos documentos tengo guardados? => count documents
¿De qué puestos retiré mi candidatura el mes pasado? => list jobs status=withdrawn status@last_month
¿Cuántos puestos de coordinadora de eventos hay en Málaga? => count jobs title~coordinadora de eventos location~Málaga
¿En qué ciudad está el puesto de la Clínica Fonos 5? => lookup jobs *~Clínica Fonos 5
Quiero ver todas mis cartas de presentación. => list documents kind=cover_letter
oye, sácame los trabajos de camarera en Gijón porfa => list jobs title~camarera location~Gijón
buenas, a cuántos trabajos he aplicado hoy? => count jobs status>=applied status@today
me lo piden en el paro, cuántas candidaturas mandé el mes pasado? => count jobs status>=applied status@last_month
pásame el número de Rocío Benavides-Ibarra que la tengo que llamar ya => lookup contacts *~Rocío Benavides-Ibarra
venga, enséñame los empleos que tengo guardados en Cádiz => list jobs status=saved location~Cádiz
cómo va lo del puesto en Pizarra & Cobre? gracias => lookup jobs *~Pizarra & Cobre
uf, cuántos rechazos llevo esta semana jaja => count jobs status=rejected status@this_week
che, mostrame los trabajos remotos de asesora impositiva => list jobs remote_type=remote title~asesora impositiva
buenos días, ¿sería tan amable de mostrarme los contactos de Estudio Quiroga-Lynch? => list contacts company~Estudio Quiroga-Lynch
q lío tengo, cuántas cartas de presentación hay? => count documents kind=cover_letter
tienes por ahí el mail de Joaquim dos Santos? mil gracias => lookup contacts *~Joaquim dos Santos
perdona la lata, cuánto pagan en el trabajo de Tostadero 21 => lookup jobs *~Tostadero 21
a ver, enséñame los puestos de arquitecto técnico que paguen al menos 33 mil, porfi => list jobs title~arquitecto técnico salary_min>=33000
ya que estoy aquí sentado, qué puestos añadí ayer? => list jobs created_at@yesterday
anda, enséñame todos mis documentos que quiero hacer limpieza => list documents
una cosita rápida, cuántos contactos tengo ya?? => count contacts
puestos de florista en San Sebastián de los Reyes => list jobs title~florista location~San Sebastián de los Reyes
empleos de psicóloga en remoto => list jobs remote_type=remote title~psicóloga
puestos guardados => list jobs status=saved
teléfono de Itziar Goikoetxea => lookup contacts *~Itziar Goikoetxea
contactos en Seguros Valdeorras => list contacts company~Seguros Valdeorras
trabajos de gruista presenciales => list jobs remote_type=onsite title~gruista
puestos añadidos esta semana => list jobs created_at@this_week
los 3 trabajos mejor pagados => list jobs by salary_min desc limit 3
empleos en la empresa Grúas Peñalver 3000 => list jobs company~Grúas Peñalver 3000
todas mis cartas de presentación => list documents kind=cover_letter
puestos de técnico de laboratorio desde 24.000 € => list jobs title~técnico de laboratorio salary_min>=24000
puestos híbridos en Alcalá de Henares => list jobs remote_type=hybrid location~Alcalá de Henares
correo electrónico de Nahuel D'Agostino => lookup contacts *~Nahuel D'Agostino
puestos de guía turístico a los que me postulé => list jobs status>=applied title~guía turístico
estado del puesto en Laboratorios Quintana-Rey => lookup jobs *~Laboratorios Quintana-Rey
los 5 puestos más recientes de profesora de música => list jobs title~profesora de música by created_at desc limit 5
¿Qué empleos de A Coruña tengo guardados? => list jobs status=saved location~A Coruña
¿Cuál es el teléfono de Begoña de la Fuente? => lookup contacts *~Begoña de la Fuente
¿Cuándo me postulé al puesto de Floristería Azahar & Hijas? => lookup jobs *~Floristería Azahar & Hijas
¿Cuántos rechazos recibí en junio? => count jobs status=rejected status@june
¿Qué puestos de administrativo de seguros son híbridos? => list jobs remote_type=hybrid title~administrativo de seguros
¿Cuánto paga el puesto de Escuela Arpegio 21? => lookup jobs *~Escuela Arpegio 21
¿Me puedes enseñar todos los contactos? => list contacts
¿En qué empresa trabaja Wilmer Ocampo? => lookup contacts *~Wilmer Ocampo
¿Qué trabajos de psicólogo pagan más de 30.000 euros? => list jobs title~psicólogo salary_min>=30001
¿Dónde está el puesto de Centro Psicológico Alborada? => lookup jobs *~Centro Psicológico Alborada
¿Cuántos puestos de gruista en Algeciras tengo guardados? => count jobs status=saved title~gruista location~Algeciras
¿Qué contactos tengo en Rutas del Altiplano? => list contacts company~Rutas del Altiplano
holaa, oye cuántos trabajos tengo guardados en total? => count jobs status=saved
Buenas, que me lo piden en el paro: ¿a cuántos puestos me he postulado este mes? => count jobs status>=applied status@this_month
he perdido la libreta otra vez, me pasas el correo de Remedios Carrascosa porfa? => lookup contacts *~Remedios Carrascosa
venga, ya con el cafelito, enséñame los puestos de florista en Jerez de la Frontera => list jobs title~florista location~Jerez de la Frontera
perdona que moleste, en qué quedó el puesto de Aseguradora Mirasol? => lookup jobs *~Aseguradora Mirasol
che, estoy en el descanso, mostrame los trabajos de operador de grúa en Bahía Blanca => list jobs title~operador de grúa location~Bahía Blanca
buenas noches, una cosita, qué puestos he añadido hoy?? => list jobs created_at@today
uf qué día llevo... enséñame solo los puestos en remoto que tengo guardados, anda => list jobs status=saved remote_type=remote
Me han subido el alquiler, así que ponme solo los trabajos que paguen como mínimo 27.000, gracias => list jobs salary_min>=27000
eeeh cuántas cartas de presentación tengo yo? => count documents kind=cover_letter
Hola qué tal, fíjate que ya ni me acuerdo, ¿a qué empleos en San Luis Potosí me postulé? => list jobs status>=applied location~San Luis Potosí
estoy hecha un lío, cuántos contactos tengo en Clínica Los Almendros? => count contacts company~Clínica Los Almendros
dime la verdad, cuántos rechazos me han llegado esta semana? => count jobs status=rejected status@this_week
rápido que viene el bus, los 4 puestos más nuevos porfi => list jobs by created_at desc limit 4
Oye, para organizarme la agenda, ¿en qué puestos estoy ahora en fase de entrevistas? => list jobs status=interviewing
mil gracias!! y por cierto, a qué puestos de técnica de laboratorio me postulé en octubre? => list jobs status>=applied title~técnica de laboratorio status@october
puestos en Alcorcón => list jobs location~Alcorcón
puestos de químico en Tarragona => list jobs title~químico location~Tarragona
empleos guardados => list jobs status=saved
puestos en la empresa Beltrán & Ochoa => list jobs company~Beltrán & Ochoa
puestos remotos de redactora => list jobs remote_type=remote title~redactora
contactos de Clínica Dental Arrúe => list contacts company~Clínica Dental Arrúe
teléfono de Nuria Echegaray => lookup contacts *~Nuria Echegaray
puestos de carretillero en Sagunto => list jobs title~carretillero location~Sagunto
puestos híbridos de más de 30.000 € => list jobs remote_type=hybrid salary_min>=30001
correo de Iñaki Zubeldia => lookup contacts *~Iñaki Zubeldia
puestos donde me rechazaron el mes pasado => list jobs status=rejected status@last_month
lista de contactos => list contacts
¿Qué puestos de dependienta en Torrelavega tengo guardados? => list jobs status=saved title~dependienta location~Torrelavega
¿Cuándo me postulé en Taller 23? => lookup jobs *~Taller 23
¿Cuántos contactos tengo en Químicas Larrañaga? => count contacts company~Químicas Larrañaga
¿Cuál es el correo de Maribel Sotomayor? => lookup contacts *~Maribel Sotomayor
¿En cuántos puestos me rechazaron en enero? => count jobs status=rejected status@january
Enséñame todos los puestos que pagan al menos 27.000 euros. => list jobs salary_min>=27000
¿En qué puestos estoy haciendo entrevistas ahora? => list jobs status=interviewing
¿Cómo va el puesto de Ferrer-Quintana? => lookup jobs *~Ferrer-Quintana
¿Para qué puestos me han hecho una oferta? => list jobs status>=offer
¿Cuánto paga el puesto en La Tinta Azul? => lookup jobs *~La Tinta Azul
¿Para qué empresa trabaja Gonzalo de la Riva? => lookup contacts *~Gonzalo de la Riva
¿Cuántos puestos de asistente dental tengo en Xalapa? => count jobs title~asistente dental location~Xalapa
Muéstrame todas las empresas que tengo registradas. => list companies
¿A qué puestos me postulé en marzo? => list jobs status>=applied status@march
hola, me sacas los puestos de profesora en Alcalá de Henares porfa => list jobs title~profesora location~Alcalá de Henares
oye, a cuántos puestos he aplicado este mes? es que me lo pide el SEPE => count jobs status>=applied status@this_month
cuál era el número de la señora Urrutikoetxea? tengo que llamarla ya => lookup contacts *~Urrutikoetxea
buenas, quería ver los puestos de diseñador de producto en remoto, gracias!! => list jobs title~diseñador de producto remote_type=remote
a ver, en qué quedó lo del puesto de Nave 8 Logística? => lookup jobs *~Nave 8 Logística
a quién conozco yo en Transportes Peñalver? => list contacts company~Transportes Peñalver
venga, enséñame los puestos que me dijeron que no esta semana => list jobs status=rejected status@this_week
una preguntita, cuánta gente tengo ya en mis contactos => count contacts
perdona que te moleste otra vez, dónde queda el puesto de Molina & Cía? => lookup jobs *~Molina & Cía
tengo un ratito libre, ponme todos los puestos de auxiliar de laboratorio que guardé => list jobs status=saved title~auxiliar de laboratorio
ey cuántas solicitudes de empleo he mandado en total? => count jobs status>=applied
pásame los 4 puestos mejor pagados plis => list jobs by salary_min desc limit 4
al final de cuántos puestos me retiré yo? ya ni me acuerdo jaja => count jobs status=withdrawn
mi marido no se lo cree, dime a qué puestos me postulé el mes pasado => list jobs status>=applied status@last_month
buenos días, si eres tan amable quisiera ver los puestos presenciales en Sant Cugat => list jobs remote_type=onsite location~Sant Cugat
hoy toca ordenar, así que enséñame todos los documentos que tengo => list documents
puestos en Calahorra => list jobs location~Calahorra
puestos en remoto en Barral & Hijos => list jobs remote_type=remote company~Barral & Hijos
puestos de dentista en Lugo => list jobs title~dentista location~Lugo
puestos de 30.000 euros como mínimo => list jobs salary_min>=30000
contactos en Lácteos Peña-Ubiña => list contacts company~Lácteos Peña-Ubiña
puestos híbridos en Rosario => list jobs remote_type=hybrid location~Rosario
los cinco puestos más recientes => list jobs by created_at desc limit 5
puestos en la empresa Taller 19 => list jobs company~Taller 19
empleos de dependienta => list jobs title~dependienta
los tres puestos mejor pagados => list jobs by salary_min desc limit 3
puestos presenciales en Teruel => list jobs remote_type=onsite location~Teruel
¿A cuántos puestos me presenté la semana pasada? => count jobs status>=applied status@last_week
¿Para qué puestos estoy ahora en fase de entrevistas? => list jobs status=interviewing
¿Cuánto pagan en el puesto de Autocares Quiñones? => lookup jobs *~Autocares Quiñones
¿Cuántos contactos tengo guardados? => count contacts
¿Cuándo envié la solicitud a Clínica Los Almendros? => lookup jobs *~Clínica Los Almendros
¿Cuál es el correo de María del Mar Etxeberria? => lookup contacts *~María del Mar Etxeberria
¿Cuántas solicitudes de empleo envié en marzo? => count jobs status>=applied status@march
Enséñame los puestos que pagan más de 45.000 euros. => list jobs salary_min>=45001
¿En cuántos puestos me han rechazado este mes? => count jobs status=rejected status@this_month
¿A quién conozco en Roldán, Vives & Asociados? => list contacts company~Roldán, Vives & Asociados
¿Qué puestos añadí en enero? => list jobs created_at@january
¿Cuántas empresas tengo en la lista? => count companies
¿En qué empresa trabaja Nahuel Oyarzún? => lookup contacts *~Nahuel Oyarzún
¿Puedes mostrarme los puestos de director de hotel en Nerja? => list jobs title~director de hotel location~Nerja
hola, sácame porfa los puestos a los que he aplicado esta semana, que me los pide la orientadora => list jobs status>=applied status@this_week
oye, ¿en cuántos puestos me rechazaron la semana pasada?? => count jobs status=rejected status@last_week
buenas, cómo va lo de mi candidatura en Finca El Tejar? => lookup jobs *~Finca El Tejar
perdona que te moleste otra vez, ¿cuál era el número de Juan Pablo Sotomayor? => lookup contacts *~Juan Pablo Sotomayor
a ver, qué puestos pagan por lo menos 28 mil, que el alquiler está carísimo => list jobs salary_min>=28000
por curiosidad nomás, ¿cuántas ofertas de trabajo me han hecho hasta ahora? => count jobs status>=offer
xfa enséñame todos los puestos de mecánico en Ponferrada => list jobs title~mecánico location~Ponferrada
tengo un ratito libre, muéstrame los puestos que añadí la semana pasada => list jobs created_at@last_week
venga, dame los diez puestos más recientes => list jobs by created_at desc limit 10
no me acuerdo de dónde está el puesto de Nexo 24, me lo dices? => lookup jobs *~Nexo 24
por favor, todos los puestos de relaciones públicas en remoto, que ya no aguanto el metro => list jobs remote_type=remote title~relaciones públicas
cuántos documentos llevo ya metidos aquí? deben de ser un montón => count documents
gracias por lo de antes! ahora los puestos en los que me rechazaron en febrero, porfa => list jobs status=rejected status@february
mañana voy a la feria, ¿qué contactos tengo en Hidro-Norte? => list contacts company~Hidro-Norte
eh, ¿a qué puestos me he postulado hoy al final? => list jobs status>=applied status@today
buenos días, recuérdame qué puesto acepté => list jobs status=accepted
"""

MODEL = """
Do you think I'm too old to go back to a classroom?
add a welder job at Hargreave Boilers in Hull, 36k
mark Pellow & Finch as rejected please
delete all the jobs I saved in March
write me a cover letter for the ward sister post at St Aldhelm's
and the second one?
what about the ones in Leeds instead
how many jobs has my brother applied to this week?
show me every job except the remote ones
list the jobs that offer free parking
which jobs in Bradford have a four-day week?
does Rimmer Fabrication pay more than Vandermeer Steelworks?
show me my saved jobs and draft an email to Siobhan O'Dwyer
how many jobs did I apply to, and which one should I chase first?
what did I just ask you?
I had a phone interview with Brannigan 24/7 Logistics this morning and it went really well
I'm going to apply to Thistle & Wren tomorrow
Tariq Lomax has changed his number to 07700 900312
how much does a staff nurse earn on average in Scotland?
what's the difference between MIG and TIG welding?
can I get a mortgage if I'm still on probation?
do I need a visa to work as a designer in Canada?
morning! how are you today?
thanks, you're a star
why do I keep getting rejected?
which of my jobs suits me best?
should I accept the offer or hold out for Oakhanger?
is 32k a fair wage for a forklift driver in Daventry?
change the salary for the Quillfeather job to 27,500
remove Delphine from my contacts
how do I explain an eight year gap to an interviewer?
what questions do they usually ask a junior solicitor?
translate my cover letter into Welsh
show me the jobs near a railway station
which companies have good reviews from former staff?
how many jobs were filled by people over sixty last year?
who was it you said I should ring?
no, I meant the other academy
could you sort those by salary?
list all applications apart from the ones in London
are there more remote jobs than hybrid ones on my list?
what jobs has my husband saved?
remind me to call Gwendolyn on Thursday
they've offered me the job!! starting on the 3rd
I rang the agency last week and nobody got back to me
my shift manager is driving me mad
how many words should a cover letter have?
show me jobs where the interviewer was friendly
what's the phone number for the tax office?
put me down as applied for the picker job at Fenn Parcels, and tell me how many that makes this week
should I take the job at Mossop Timber Frames or wait for something closer?
hi, how's your day going
add Gaz Hollinrake as a contact, he's the foreman at Ostrander Joinery
mark the Pottle & Wray job as rejected
delete all the jobs I withdrew from last month
write me a cover letter for the pastry chef job in Truro
I had an interview with Tansy & Thrale this morning and it went really well
I'm going to apply to 4th Lock Brewing tomorrow
what about in Salford?
how many jobs has my brother applied to?
my flatmate got three rejections last week, what should I tell her
can I get a mortgage if I've only just started a new job?
do I need a visa to drive coaches in Ireland
what's the average salary for a sous chef in the UK?
show me all my jobs except the remote ones
list the jobs that aren't in Stoke-on-Trent
which jobs come with a company van?
jobs where I can start after 9am
any jobs within 20 minutes of my house by bus
which is better, the job at Quillfeather or the one at Brockley-Nunn?
how many jobs did I apply to last week and can you draft a follow up to the latest one
show me the jobs in Leeds and give me Dev Ramanathan's number
what did I ask you first today?
why did you show me those jobs just now?
who founded Little Fennimore's?
how do I explain a two year gap to an interviewer
What questions do they usually ask in an interview for a data analyst role?
change Siobhan O'Rafferty's email to siobhan@quillfeather.example
I got the job!!!
they rang me back and offered 29k, I said I'd think about it
What does a CPC card cost these days?
do I have more rejections than interviews?
how many jobs should I apply to each week?
which of my contacts would be best to ask for a reference?
jobs with a nice boss please lol
can you make the list shorter
no, I meant the other one
is the Kirkcaldy job still being advertised?
how many people applied for the Van der Plas job?
I moved the bookkeeper role to offer by accident, put it back
What's the difference between hybrid and flexible working?
thanks, you've been great
my dad reckons I should apply to more jobs in Truro, is he right
are the jobs I applied to this month better paid than last month's?
companies that haven't replied in over two weeks
how long does a student loan take to pay off on 26k
which jobs do you think I'd actually get
email Annike de Vries-Holt and ask if they've decided
remember that I don't want to work weekends
Should I take the offer from Brindle & Marsh or hold out for something better?
add a job at Quarrington Dispensary, relief pharmacist, 44k
mark Pedal-Post Couriers as rejected please
how many jobs did my brother apply to last week?
which of my saved jobs come with a company van?
Do remote jobs pay better than the on-site ones on my list?
show me the hybrid jobs and delete the rejected ones
what did I ask you five minutes ago?
how do I answer when they ask about the gap after my maternity leave
can I get a mortgage while I'm still on probation?
I had my second round with Saltmarsh Bay Hotel this morning, went really well
got an email from O'Hanlon Hotels, they don't want me :(
write a cover letter for the nursery teacher job at Little Acorns Pre-School
good morning, how are you today?
what's the going rate for electricians in Cardiff these days?
jobs within half an hour's drive of my house
which job is the best fit for me?
delete Gethin Pryce-Jones from my contacts
change Oonagh's number to 07700 900461
i've got a phone screen with Testwright 3000 on Thursday at 10
are there more rejections than offers so far?
who won the cup final in 1998?
do I need a visa to work in a hotel in Switzerland?
jobs in Bristol where I wouldn't have to work weekends
why did you show me those?
how many jobs are there for kindergarten teachers in Ireland nowadays?
list my remote jobs and what's the phone number of Tomasz?
my flatmate applied to Larkfield Nursery, where does she stand?
what about the ones in Newcastle?
everyone in my contacts apart from recruiters
compare the offers from Hobbs-Delacroix Agency and Brindle & Marsh
I'm knackered, this job hunt is doing my head in
thanks, that's all for tonight
how long should I wait before chasing Quarrington Dispensary?
I applied to a bike shop in Hackney yesterday
which of the companies is known for treating testers well?
jobs that offer free meals on shift
is 38k a decent salary for a marketing manager in Bristol?
can you remember what I told you about my knee?
put me down as withdrawn for the courier thing in Hackney
how does my list compare with last year's?
what questions will they ask a hotel receptionist at interview?
next week I'm meeting Precious for a coffee to talk about the vacancy
draft a short thank-you email to Tomasz Wieczorek
what does a PAT testing certificate cost and how many electrician jobs do I have?
show me jobs where the boss seemed nice
Should I wear a tie to a second interview at a building firm?
how do I explain a two-year gap since I finished my PhD
Mark the Tarnhow Haulage job as rejected
just got off the phone with Pellow & Daughters, they want me in on Thursday
add a job: stylist at Fringe Benefits, Whitby, 24k
How many applications did my sister send last month?
Can I get a mortgage while I'm on probation?
where is my visa application up to
show me all my jobs except the ones in Hull
Which of my jobs offer free parking?
Does the job in Goole pay better than the one in Selby?
how many rejections do I have and what's Gethin's number?
what did I ask you just before that?
I'm so fed up with all these rejections
delete the contact Bartholomew Quist
what's the average salary for a librarian in Wales?
Which of these should I go for first?
write me a cover letter for the bridge engineer job
I'm planning to apply to three jobs in Leeds tomorrow
how do I get my class 1 licence
change Marnie's number to 07700 900412
my mate Dave applied to 4Rivers last week and never heard back
what about the hybrid ones?
Which jobs have decent maternity leave?
Is 31k a good salary for a shop manager in Kettering?
tell me a joke, I've been driving since four
list every company apart from the recruitment agencies
how many people normally apply for one postdoc?
Who founded the Women's Institute?
did you save that?
I've withdrawn from Snip & Shear, the hours were rubbish
Why do I keep getting rejected after the first interview?
when should I chase them up if I applied last Monday?
which jobs did Priya get rejected from?
remote jobs without weekend shifts
Show me the offers and then turn down the lowest one
have I got a better chance with the council or with a private firm
what does 'subject to contract' mean in an offer letter
no, I meant the other Halloran
where did the loan I applied for get to?
draft a short thank-you email to Ngozi for the interview
Put everything I applied to in October down as rejected
how far is Llandrindod Wells from Shrewsbury?
Got an offer from Zeb's today!! can't believe it
Which of my jobs were the recruiters nice about on the phone?
ta love, that's all for tonight
Compare the three best paid jobs for me
how do I ask for more money without sounding cheeky
who at 4Rivers would be best to talk to about the depot role?
Should I take the job at Thistle & Crumb even though it starts at 3 in the morning?
feeling a bit rubbish about all these rejections tbh
mark Quill7 Media as rejected
I had a phone chat with Fernleigh Lodge this morning and it went really well
how many jobs did my sister apply to last week?
can I get a mortgage on a zero-hours contract?
show me all jobs except the ones in Leeds
which jobs have free parking
does Hexley & Daughters pay better than Brindle-Hague Nurseries?
how many rejections did I get last month and what's Parveen's phone number
write a cover letter for the sub-editor job in Norwich
good morning! how are you today
what's the average salary for a baker in the UK
Add a new contact: Rory Tulloch, works at Pennyfarthing Post, 07700 900412
I'm going to apply to three garden centres tomorrow
what do I need for a skilled worker visa
delete all the withdrawn jobs
remind me to ring Gwen on Friday
which of those is closest to my house?
jobs where I don't have to work nights
how do I explain a two-year gap to a recruiter
jobs that aren't remote
my friend Dan got an offer from NorthPeak24, how many rounds did he say he had
is it normal to hear nothing for three weeks after a second interview?
change the salary for Ostrava Systems 42 to 48k
why did Dúnmore Bakehouse reject me
what does on-site mean exactly
no not that one, the other one
which jobs offer a pension above 8 percent
Show me the saved jobs in York and move the care ones to applied.
What's the capital of Slovenia?
they've just rung, I got the offer!!
am I applying to enough jobs do you think
list every contact apart from the recruiters
which companies on my list treat their care staff best
did you save what I told you about Tobias?
how do I ask for more money without sounding greedy
draft an email to Maureen O'Dwyer saying I'm still interested
jobs within a 20 minute bike ride
could a student loan be taken out of my wages if I move to Ireland
did I apply to more jobs this month than last month
I've applied to Marlowe & Finch as a call handler, 24k, Sunderland
what happens if I withdraw after signing the contract
jobs with a nice boss lol
can you explain that last answer again
how many contacts does my colleague Ines have at her new paper
I pulled out of the Kettering job last week because of the shifts
should I take the secretary job in Kettering or hold out for more money?
all my jobs except the ones in Swindon
jobs that come with a company van
I applied to Pell & Wragg Motors this morning
add a mechanic job at Oakhanger Tyres, 33k, on-site
delete the Quillon Studio job
mark the job at Birch & Tonks as rejected
write me a cover letter for the head chef role at The Salted Hake
which pays better, the Fairlop Garage job or the one at Denby Autos?
how many jobs have I applied to and what's Ngozi Batchelor's number?
my sister applied to three midwife jobs last week, when will she hear back?
do I need a visa to work as a midwife in New Zealand?
can I get a mortgage on a 12 month contract?
what does a web designer usually earn in Bristol?
how do I explain a two year gap at an interview?
morning, how are you today?
thanks, you've been a star
interview at Meridian 24 Security on Thursday at 10
Tamsin rang, she wants me in for a second chat next week
change Dale Przybylski's phone number to 01632 960114
jobs within walking distance of the station
show me the jobs that aren't remote
which of my jobs has the nicest boss?
how many people work at Hartwell-Osei Catering?
what should I wear to an interview at a law firm?
is 29k decent for a night security officer?
do I need an SIA licence to work the door at a pub?
show my remote jobs and then delete the saved ones
are you sure about that number?
can you remember what I tell you from one day to the next?
how many applications does the average person send before they get a job?
jobs where I'd have every other weekend off
my mate Gaz got turned down by Dunmore Freight, what can he do?
list the cook jobs apart from the ones at Number 9 Kitchen
why do I keep getting turned down for sales jobs?
did I do better this month than last month?
draft an email to Fergus MacAlister asking about the start date
which contact should I ring first?
I've just handed in my notice at the garage
they offered me 31k, how do I ask for 34?
remind me to ring Siobhán O'Grady tomorrow
sort out a new contact for me: Priya Lockhart, works at Ember House
the first two, please
what's the difference between a PA and a secretary?
can I borrow against my final salary payment to buy tools?
jobs at companies that pay overtime for bank holidays
should I take a plumber job in Dundee if it means moving?
add a checkout assistant job at Fairley Foods in Derby, 23k
mark the Northgate Rail application as rejected
write me a cover letter for the interpreter role at Quillon
how do I explain a two-year gap to an employer?
I had my interview at Fennimore Hydro this morning and it went okay
what about the ones in Cardiff?
my brother applied for six jobs last week, is that a lot?
show me all jobs except the ones in London
which jobs are within walking distance of a station?
does Loom9 Analytics pay better than Corvane Systems?
show my remote jobs and delete the rejected ones
how many jobs did I apply to last week and how many companies replied?
what did I ask you just now?
why did you show me only three jobs?
how long does a skilled worker visa take for a physiotherapist?
what does a network administrator earn on average in Ireland?
what is the difference between a CCNA and a CCNP?
delete Bex Calloway from my contacts
change the salary of the Pike-Hollis job to 36k
morning, how are you doing?
I'm so tired of all these rejections
next Tuesday I'm seeing the manager at Tamar Valley Trains
Ridley Marsh rang me and want to meet again
set a reminder to call Tunde Adebayo on Friday
my flatmate's application for her student loan got rejected, what now?
how many applications did Hannah send in april?
which of my jobs has the nicest team?
jobs in Aberdeen where nobody has to work nights
translate my cover letter into Portuguese
what questions will they ask a trainee train conductor?
is 45k good for an economist with no experience?
which jobs did I apply to without a cover letter?
are there many plumbing jobs going in Hull these days?
why do so many physio jobs in Stoke get no applicants?
do I have more jobs in Leeds or in York?
put the Cork role down as withdrawn and tell me why that was sensible
I applied to Hexley Logistics yesterday for the night cashier job
draft an email to Ingrid van der Meulen asking about the start date
who founded the company that runs the Tamar line?
which companies haven't answered me for more than three weeks?
move all my saved cashier positions to applied
how should I negotiate once I've got an offer for 38k?
Should I take the roofing job even though it's a longer commute?
what do I wear to an interview at an architecture practice
add a barista job at Finch & Fable in Bath, 24k
change the status of the Loft 27 job to rejected
delete all the jobs in Norwich
write me a cover letter for the speech therapist role at Ashgrove
I've got an interview with Meridian 9 tomorrow at ten
they rang me this morning and said I'm through to the next round
what about the ones in Leeds
how do I apply for a mortgage on a postman's wage
do I need a visa to work as an event manager in Dubai
how many speech therapists are there in the UK
show me all jobs except the ones in Sheffield
every remote job apart from the tax ones
jobs with a four-day week
which pays better, the Copper & Crumb job or the Lantern House one?
is the offer from Okonkwo Partners better than what I earn now
show me the saved jobs and add Niamh O'Rourke as a contact
how many jobs did I apply to and who do I know at Halden-Pryce?
why did you show me three jobs when I asked for two
I'm a bit fed up with all these rejections to be honest
how should I answer when they ask about my weaknesses
Send Gwen an email saying I'm still interested
mark the Teasel & Thorne role as applied
set the phone number of Dafydd ap Rhys to 01970 555 013
I applied to Slate & Batten yesterday, roofer, Wolverhampton
next Tuesday I'm meeting Priya for a chat about the tax job
what's the difference between a tax adviser and an accountant
how much does a barista earn on average in Edinburgh
my loan application got rejected last month
when will I hear back about my passport application
jobs where the boss is nice
which of my jobs can I cycle to?
have I applied to more jobs this month than last month?
that's not what I meant, try again
the first one please
can you translate my cover letter into Welsh?
Do you think 45k is fair for a Part II architect?
rename the company Loft 27 to Loft Twenty-Seven
my sister got an offer from a café in Brighton
make the cover letter a bit shorter
which jobs would suit me best?
show the hybrid jobs but not the ones that said no
Should I accept the lab technician job or wait for something better?
good morning, how are you doing today
add a crane operator job at Harrow Lift Services in Goole, 46k
mark the job at Petal & Twine as rejected please
I applied to three tour guide jobs yesterday and I'm knackered
how many jobs did my brother apply to last month?
can I get a mortgage while I'm on a fixed-term contract
what does a clinical psychologist usually earn in Scotland?
show me all the jobs except the remote ones
which of my jobs come with a company van?
is the job at Studio 88 Music better paid than the one at Brightwell Strings?
how many jobs have I saved, and what's Priya Ramaswamy's phone number?
what did I ask you a minute ago?
Write me a cover letter for the florist position in Harrogate.
delete every job I was rejected from
I've got an interview at Corrigan-Voss Labs on Thursday at half nine
do I need a visa to work as a tour guide in Norway?
jobs that are not in Liverpool
jobs in Hull with no night shifts
why do I keep getting rejections?
my loan application got turned down last week
change the salary of the Kestrel House Clinic job to 41000
What's the difference between hybrid and remote?
who won the cup final last night
save Declan O'Mahony's new number, 07700 900113
how should I answer if they ask about the gap on my record?
which jobs pay more than the one at Tidewell Diagnostics?
Tidewell rang this morning and offered me the position!
my daughter's university applications, how many did she send in march?
list the florist jobs and then draft an email to the first one
which florist jobs are near a tube station?
How many CPCS tickets does a crane operator need?
remind me on Friday to chase Marguerite Fennimore
did you understand what I said about the music school?
what should I wear to an interview at an insurance office
I'll be applying to the job in Dundee next week
can you find new psychologist vacancies on the internet for me
which contacts haven't I spoken to for ages?
do the jobs in York pay better than the ones in Durham?
is it rude to ring them twice in one week?
all jobs apart from the ones at Holloway & Pike
move the Old Lantern Walks job to interviewing
how do I calm my nerves before teaching a demo lesson?
jobs where the boss is a woman
they've withdrawn the position at Brackenfield, what a shame
shorten that a bit and make it friendlier
what time is it in Toronto right now?
Should I mention my forklift licence expiring when I apply to Brackwater?
Add a chemist job at Hexley Polymers in Runcorn, 41k.
I got an offer from Quillmere this morning!
Show me all jobs except the remote ones.
How many applications did my sister send last week?
Does Larch 9 Labs pay better than Sprocket42?
How many jobs have I saved, and what's Glenda's number?
Delete every job I was rejected from.
Mark the Tamsin & Rowe job as applied.
Write a cover letter for the teaching post in St Albans.
I feel like I'm never going to find anything.
Thanks, you're a star
what's a normal salary for a dental assistant in Wales?
How do I apply for a student loan?
I applied for a mortgage with Northgate last month, when will they answer?
My visa application was rejected, what now?
I'm going to apply to three jobs tomorrow.
how many jobs should I apply to per week?
Why was I rejected by Pellow & Finch?
Which of my jobs would suit me best?
show jobs where the manager sounded friendly
jobs within 20 minutes of my house
everyone in my contacts who hasn't replied yet
Change Moira Abernethy's phone number to 07700 900456
who is the CEO of Van der Wiel Interiors?
Is Kirkcaldy a nice place to live?
Translate my cover letter into Welsh please
only the hybrid ones this time
no, the other company
Can you list five questions they may ask a product designer?
What jobs can I do with a chemistry degree?
they rejected me yesterday, Oddfellow I mean
Had my second interview at Hexley today, went ok I think
List my saved jobs and then archive the oldest two.
How does the number of rejections this month stack up against last month?
which jobs have dental cover and a pension
Remind me to call Priya on Thursday
How many jobs were there in the UK chemical industry last year?
Did you understand what I meant earlier?
What did Tobias say to me in his last email?
Are there any jobs at Brackwater I don't know about yet?
my mate got three offers in a week, how on earth?
Show me every contact apart from those at Hexley Polymers
what's the best way to ask for more money
I put 2 jobs in yesterday by mistake, take them out
how long does a teacher training course take
Tell me a joke, it's been a long shift
Should I take the job at Fallow & Finch or hold out for something better?
Add a job as night porter at the Marlowe in Whitby, 27k.
I had a phone interview with Tarrant Coaches this morning and it went rather well.
Show me all my jobs except the remote ones.
Which of my jobs come with a company van?
Delete the herdsman position in Skibbereen please.
How many applications has my sister sent this year?
Does Studio 41 pay better than Gorse Hill Garage?
Show me the saved jobs and write a cover letter for the first one.
What does a dental nurse earn in New Zealand on average?
how's it going
Why did you say I had four interviews?
My visa application got rejected last week, what now?
How many jobs in Wales let you bring a dog to work?
Mark Brack & Tolley as rejected.
I'm thinking of applying for three jobs in Leeds next week.
What do I say when they ask about my weaknesses?
When did my brother apply to Tarrant Coaches?
List the jobs with a four-day week.
What was the first thing I asked you today?
Change Oona McGillivray's phone number to 01632 960 417.
Am I applying to enough jobs?
How many loan applications did I send off to the building society?
Jobs that aren't in London
the ones from yesterday but only the good ones
Is a diploma in hospitality management worth it at 45?
Remind me to ring Len on Thursday.
Which jobs have a pension scheme and free parking?
I've just been turned down by Ystwyth Dental, gutted.
Find me new dairy jobs in Devon on the internet.
Draft a thank-you email to Femi Adeyinka-Rowe.
Why do I keep getting rejected?
What's the phone number of the tax office?
How many remote jobs did I save compared with last year?
Could you tell me how many jobs you lost track of in our last chat?
Which of these is nearest to a railway station?
My mate got an offer from Zephyr 3D, isn't that great?
Move the hotel manager job in Llandudno to interviewing and tell me how many I have left.
Is it rude to email a recruiter twice in a week?
Thanks, you've been a big help!
Show me jobs where the manager seemed friendly.
What documents do I need for a work permit in Canada?
I saved two jobs last night on the bus.
How many jobs have I applied to, and what is Siobhán's email?
Everything apart from the jobs I withdrew from
What's the job market for bus mechanics like in Scotland right now?
Did you understand my last question?
Tell me about the company Hollis, Vane & Sons.
If I got the job at Quill House, how long would my commute be?
Bin ich mit 63 zu alt, um nochmal an einer Schule anzufangen?
Trag bitte eine Stelle als Schweißer bei Kesselbau Wiegand in Herne ein
setz Brinkmann & Söhne auf abgelehnt
Lösch alle Stellen, die ich im März gespeichert habe.
Schreib mir ein Anschreiben für die Stelle im Klinikum Lindenhöhe
und die zweite?
und wie siehts in Dortmund aus
Wie viele Bewerbungen hat mein Bruder diese Woche verschickt?
alle Stellen außer denen in Berlin
Zeig mir die Jobs mit Dienstwagen
Welche Stellen in Münster haben keinen Schichtdienst?
Zahlt Metallbau Ostrowski besser als Gebr. Tschirner?
Zeig mir meine Absagen und schreib Jost Feddersen eine nette Mail
wie viele Bewerbungen hab ich und bei wem sollte ich nachhaken?
Was hab ich dich vorhin eigentlich gefragt?
Hatte heute Probearbeiten bei Hafenlogistik 7, lief richtig gut
Morgen bewerbe ich mich bei Kanzlei Hüttenrauch
Milena hat eine neue Nummer, 0151 23456789
Was verdient eine Pflegefachkraft in der Schweiz im Schnitt?
Was ist der Unterschied zwischen WIG und MAG?
krieg ich in der Probezeit überhaupt einen Kredit?
Brauche ich für Norwegen ein Arbeitsvisum?
na du, alles klar bei dir?
Danke dir, hast mir echt geholfen
warum krieg ich immer nur Absagen?
Welche von meinen Stellen passt am besten zu mir?
soll ich das Angebot annehmen oder noch warten?
Sind 36.000 Euro als Lagerist in Duisburg in Ordnung?
Ändere das Gehalt bei Nordlicht-Medien auf 41.000
Roswitha Kämmerling kannst du aus den Kontakten rausschmeißen
Wie erkläre ich die Lücke von fünf Jahren im Gespräch?
Was wird man als Berufseinsteiger in einer Kanzlei so gefragt?
Übersetz mein Anschreiben ins Englische
Stellen mit guter Busanbindung
Welche Firmen haben einen Betriebsrat?
Wie viele Lehrerstellen sind in Bayern unbesetzt?
wen sollte ich laut dir nochmal anrufen?
nee, ich meinte die andere Kanzlei
sortier die mal nach Gehalt
Zeig alle Kontakte, nur nicht die von der Zeitarbeitsfirma
Hab ich mehr Remote-Jobs oder mehr hybride?
Welche Stellen hat sich meine Frau gemerkt?
Erinner mich am Donnerstag an den Anruf bei Annegret
ich hab den Job!!! am ersten gehts los
Letzte Woche hab ich bei der Agentur angerufen, keiner meldet sich
mein Chef im Lager macht mich fertig
Zeig mir die Stellen, bei denen der Chef sympathisch war
Bei Gebr. Tschirner bin ich raus, trag das ein und sag mir, wie viele Absagen das jetzt sind
Na, wie geht's dir heute?
Lohnt sich ein Wechsel zu Mertens & Dörr für 200 Euro mehr im Monat?
Leg bitte eine neue Stelle an: Busfahrer in Kassel bei Brunnhuber Logistik
Setz die Bewerbung bei Nordlicht-Bau 24 auf abgelehnt
lösch mal alle Absagen von letzter Woche raus
Schreib mir ein Anschreiben für den Job bei Ödinger Feinback
Hab gestern mit Frau Plaß telefoniert, die melden sich bis Freitag
nächste Woche fang ich an, mich in Fürth zu bewerben
und der zweite?
Und was ist mit denen in Jena?
Wie viele Bewerbungen hat meine Schwester schon geschrieben?
mein Kumpel hat schon wieder ne Absage kassiert, wie kann ich ihn aufmuntern
Krieg ich in der Probezeit überhaupt einen Kredit fürs Auto?
Brauche ich als Österreicher eine Arbeitserlaubnis für die Schweiz?
Was verdient ein Tischlergeselle im Durchschnitt?
alle Stellen außer die in Wuppertal
Zeig mir die Jobs, die nicht remote sind
Bei welchen Stellen gibt es 30 Tage Urlaub?
Jobs ohne Schichtdienst bitte
Welche Firmen haben eine Kantine?
Was ist besser für mich, Grünzweig 3D oder Holzbau Kröll?
Wie viele Absagen hatte ich im März und was kann ich daraus lernen?
gib mir die Nummer von Uschi Zwickl und trag gleich den Termin am Montag ein
Was hatte ich dich vorhin gefragt?
warum zeigst du mir das jetzt an?
Wer ist der Chef von Wiesgrund Küchen?
Wie begründe ich im Gespräch, dass ich kündigen will?
Ändere die Telefonnummer von Ferdl Obermoser auf 0664 1234567
Sie haben mir zugesagt, ich kann's kaum glauben!
die haben mir 2.900 brutto geboten und ich hab noch nix unterschrieben
Was ist der Unterschied zwischen Brutto und Netto?
Hab ich mehr Absagen als Zusagen?
Wer von meinen Kontakten könnte mir am ehesten weiterhelfen?
wie alt ist Annegret von Thülen?
mach die Liste bitte kürzer
nee, den anderen meinte ich
Ist die Stelle in St. Pölten noch ausgeschrieben?
Wie viele Leute haben sich außer mir bei Hagedorn & Söhne beworben?
Ich glaub, ich hab den falschen Job gelöscht, mach das rückgängig
Muss ich dem Arbeitsamt jede Bewerbung melden?
danke, du bist ein Schatz
Meine Frau meint, ich soll mehr Stellen in Göttingen suchen – hat sie recht?
Zahlen die Stellen in Rostock besser als die in Bamberg?
welche Firmen haben sich seit drei Wochen nicht gemeldet
Kann ich mit BAföG nebenher 20 Stunden arbeiten?
Welche der Stellen passt am besten zu mir?
schick dem Tjark ne Mail und frag, wann er Zeit hat
Merk dir, dass ich nur bis 16 Uhr arbeiten kann wegen der Kita
Was zieht man als Koch zum Vorstellungsgespräch an?
Soll ich bei Zwickel & Söhne zusagen oder lieber noch warten?
trag mal eine neue stelle ein: Elektriker bei Strom+Licht Hebestreit, 41k, Kassel
Die Rosen-Apotheke hat mir heute abgesagt
wie viele bewerbungen hat mein kumpel letzte woche geschrieben?
alle Jobs außer die in Hamburg
welche von den gespeicherten Stellen haben einen Dienstwagen dabei?
Verdient man bei den Remote-Jobs mehr als bei denen vor Ort?
zeig mir die hybriden jobs und lösch gleich die absagen
was hab ich dich vorhin gefragt?
Wie erkläre ich im Gespräch die Lücke nach der Elternzeit?
krieg ich in der probezeit überhaupt einen kredit?
Hatte heute früh das zweite Gespräch bei Seeblick Resorts, lief super
schreib mir ein Anschreiben für die Kita Wirbelwind 7
na, wie geht's dir heute so?
Was verdient ein PTA durchschnittlich in Bayern?
Jobs, die ich mit dem Rad in 20 Minuten erreiche
welcher job passt am besten zu mir?
lösch den Ostrowski aus meinen Kontakten
Ändere die Nummer von Wiebke auf 0171 5550143
am donnerstag um 10 hab ich ein telefonat mit Prüfwerk 4.0
hab ich eigentlich mehr absagen als angebote?
Wer war 1974 Bundeskanzler?
brauche ich ein visum wenn ich in der schweiz im hotel arbeiten will
Stellen in Freiburg ohne Wochenenddienst
warum zeigst du mir ausgerechnet die?
Wie viele offene Erzieherstellen gibt es gerade in Deutschland?
zeig mir meine Remote-Jobs und wie ist nochmal die Nummer vom Dragan?
meine Schwester hat sich bei der Adler-Apotheke beworben, wie steht es bei ihr?
und in Leipzig?
alle kontakte bis auf die personalvermittler
Vergleich mal die Angebote von Brandt Voss und Möhrle & Co.
bin total fertig, die ganze jobsucherei nervt nur noch
danke, das wars für heute
Wann sollte ich bei der Rosen-Apotheke nachhaken?
hab mich gestern bei nem lieferdienst in leipzig beworben
Welche der Firmen hat einen guten Ruf bei Testern?
jobs mit kostenlosem essen in der schicht
übersetz mein anschreiben ins englische
Sind 45.000 brutto für eine Marketing-Managerin in Hamburg okay?
weißt du noch, was ich dir über meinen Rücken erzählt hab?
setz den fahrradkurier job in leipzig auf zurückgezogen
Lief es letztes Jahr besser als dieses?
Was wird man als Rezeptionistin im Vorstellungsgespräch so gefragt?
nächste woche treff ich mich mit ayşe auf nen kaffee wegen der stelle
nee, ich meinte den anderen
Formuliere bitte eine kurze Dankesmail an Frau Hinterhuber
was kostet der Meisterkurs und wie viele Elektriker-Jobs hab ich?
zeig mir die stellen wo der chef nett war
Muss ich beim Jobcenter jede Bewerbung nachweisen?
Wie formuliere ich eine Gehaltsvorstellung, ohne gierig zu wirken?
Trag bitte ein, dass Querfurth mir abgesagt hat
Morgen hab ich Probearbeiten bei Haarscharf
Wie viele Bewerbungen hat mein Bruder letzte Woche geschrieben?
Lösch den Kontakt Kevin Schmalstieg
Alle Stellen außer denen in Gütersloh
Welche Jobs haben eine Betriebskantine?
Zahlt Moorblick besser als das Backhaus?
was hatte ich dich vorhin gefragt?
wie viele Absagen hab ich und wie ist die Nummer von Wiebke?
Bekomme ich Arbeitslosengeld, wenn ich selbst kündige?
Ist mein Antrag auf Wohngeld schon durch?
schreib mir ein Anschreiben für die Stelle in der Stadtbücherei
Was verdient man als Bauingenieur im öffentlichen Dienst?
bin heute echt platt
Leg eine neue Stelle an: Disponentin bei Ahlers Logistik, Papenburg
Zu welcher Stelle würdest du mir raten?
Ich wollte mich diese Woche noch auf fünf Stellen bewerben
welche davon sind unbefristet?
Ändere die Mail von Frau Öztürk-Lindner auf oeztuerk@beispiel.de
Nee, ich meinte die andere Firma
Welcher Kredit passt zu mir, wenn ich noch in der Probezeit bin?
Was bedeutet E13 TV-L?
Meine Freundin hat im März drei Angebote bekommen, ich keins
Homeoffice-Stellen ohne Reisetätigkeit
Warum werde ich nie zum Gespräch eingeladen?
Zeig mir die Absagen und schreib denen eine nette Antwort
Die von Zweygart haben angerufen, ich soll nächsten Dienstag kommen
Hast du das jetzt gespeichert?
Danke dir, schönes Wochenende!
Welche Stellen passen am besten zu einer promovierten Biologin?
Setz alle gemerkten Jobs auf beworben
Wie weit ist es von Husum nach Flensburg?
Wie lange dauert ein Führerschein Klasse CE?
welche Firmen waren beim Vorstellungsgespräch am freundlichsten?
Soll ich Spedition Querfurth nochmal anschreiben?
Auf welche Stellen hat sich der Jens beworben?
Die Bewerbung in Rosenheim zieh ich zurück, das ist mir zu weit
Kannst du mir das nochmal anders erklären?
Vergleich mal die beiden Angebote
Wann darf ich frühestens nachfragen, wenn ich mich letzte Woche beworben hab?
Gibt es in Greifswald gerade freie Laborstellen im Netz?
Alle Kontakte, nur die von Hölzl nicht
Ich hab die Zusage!!!
Was soll ich auf die Frage nach meinen Schwächen sagen?
Stellen, bei denen ich einen Dienstwagen bekomme
wer hat das Fließband erfunden
mehr davon bitte
Wieviel bleibt netto von 42000 in Steuerklasse 3?
Soll ich das Angebot von Callhaus 360 annehmen oder lieber noch warten?
trag bitte ein, dass ich bei Zweistern Verlag eine Absage bekommen hab
Heute Vormittag hat mich der Pflegedienst Abendrot zum Probearbeiten eingeladen.
bekomme ich mit einem befristeten vertrag überhaupt einen kredit
alle Stellen außer denen in Kassel
Jobs ohne Schichtdienst
Zahlt Havelblatt mehr als der Zweistern Verlag?
zeig mir die absagen vom märz und schreib denen eine nette antwort
Schreib mir ein Anschreiben für die Stelle als Landschaftsgärtner in Görlitz.
Was verdient ein Bäckergeselle in Sachsen durchschnittlich?
Lege einen neuen Kontakt an: Frauke Mintrop, Telefix24, 0351 4477812
Nächste Woche bewerbe ich mich bei drei Gärtnereien.
Welche Aufenthaltserlaubnis brauche ich für einen Minijob?
lösch mal alles was ich zurückgezogen hab
erinner mich donnerstag dran, Jörg anzurufen
welche davon liegt am nächsten am Bahnhof
Wie erkläre ich eine Lücke von anderthalb Jahren im Gespräch?
Stellen, die nicht remote sind
meine Kollegin wurde bei Nordlicht genommen, wie viele Gespräche hatte sie da?
ist das normal dass die sich drei wochen nicht melden
danke, du bist echt ein schatz
Ändere das Gehalt bei Grünwerk & Söhne auf 39.000.
warum haben die mich bei Backstube Krümel abgelehnt
Was bedeutet eigentlich hybrides Arbeiten?
nee, den anderen mein ich
Bei welchen Jobs gibt es ein Jobticket dazu?
Wie viele Einwohner hat Liechtenstein?
juhu, ich hab die Zusage aus Husum!!
bewerbe ich mich deiner meinung nach zu wenig?
Alle Kontakte bis auf die Headhunter
Welche von meinen Firmen hat den besten Ruf bei Pflegekräften?
hast du dir das mit Annegret gemerkt?
Wie verhandle ich mehr Gehalt, ohne unverschämt zu wirken?
formulier mir eine mail an Özlem, dass ich weiterhin interesse hab
jobs die ich in 20 minuten mit dem rad erreiche
Kann ich mit dem neuen Gehalt die Baufinanzierung stemmen?
Hab ich diesen Monat mehr Bewerbungen geschrieben als letzten?
Hab mich gestern bei Kornblume Bio als Verkäuferin beworben, 27.000, Lüneburg
was passiert wenn ich nach der unterschrift noch absage
stellen mit netten chefs bitte haha
erklär mir deine letzte antwort nochmal einfacher
Welche Kontakte hat Sabine bei ihrer neuen Zeitung?
Setz die drei Stellen aus Ulm auf beworben.
wieviele stellen in erfurt hab ich und wie ist die mail von Bernd-Michael
Ich fühl mich nach der ganzen Bewerberei nur noch leer.
Wie lange ist die Kündigungsfrist in der Probezeit?
Soll ich die Stelle bei Kröger & Söhne annehmen?
und die dritte?
alle Stellen außer denen in Görlitz
Jobs mit Dienstwagen auch zur privaten Nutzung
Ich hab mich heute früh bei Reifen Zschocke beworben
Trag bitte eine Stelle als Köchin im Gasthof Zum Löwen ein
lösch den Kontakt Mandy Kretzschmar
Setz die Bewerbung bei Lindgrün Medien auf abgesagt
Schreib mir ein Anschreiben für die Hebammenstelle in Bad Oeynhausen
Was ist besser, die Stelle bei der Brauerei Hintermoser oder die in der Großküche?
Wie viele Absagen hab ich und wie ist die Nummer von Jörg Nowak-Petersen?
Meine Tochter hat sich auf vier Ausbildungsplätze beworben, wann hört sie was?
Brauch ich als Mechaniker für die Schweiz eine Arbeitsbewilligung?
Krieg ich in der Probezeit einen Kredit fürs Auto?
Was verdient ein Koch in Österreich so im Schnitt?
Wie erkläre ich im Gespräch, dass mir gekündigt wurde?
Na, alles klar bei dir?
Danke dir, das hat mir echt geholfen
Ich hab langsam die Nase voll von den ganzen Absagen
Am Dienstag um 14 Uhr hab ich Probearbeiten im Autohaus Pfennigschmidt
Frau Oduya hat angerufen, ich soll nächste Woche nochmal kommen
Ändere die E-Mail von Gundula von Treskow auf treskow@beispiel.de
Stellen, die ich mit dem Rad erreichen kann
Zeig mir die Jobs, die nicht hybrid sind
Welche meiner Stellen hat das beste Betriebsklima?
Wie viele Mitarbeiter hat Wachdienst Nord 24?
Was zieht man zum Vorstellungsgespräch in einer Kanzlei an?
Sind 31.000 brutto viel für einen Wachmann?
Brauche ich für die Arbeit als Türsteher die Sachkundeprüfung nach 34a?
Zeig mir die gemerkten Stellen und lösch danach die alten
nee, die andere meinte ich
Bist du dir da sicher?
Merkst du dir eigentlich, was ich dir erzähle?
Wie viele Bewerbungen schreibt man normalerweise, bis es klappt?
Jobs ohne Schichtdienst in Rosenheim
Mein Kollege Torsten wurde bei Brandl abgelehnt, kann er sich nochmal bewerben?
Alle Kontakte bis auf die von der Kanzlei Abels-Richter
Warum laden mich die Firmen nie zum Gespräch ein?
War ich diesen Monat fleißiger als letzten?
Setz eine Mail an Ayşe Brinkmann auf, dass ich am Montag nicht kann
Wen von meinen Kontakten soll ich zuerst anrufen?
Ich hab gestern im Büro gekündigt
Die bieten mir 38.000, wie verhandle ich auf 42.000?
Erinnere mich morgen an den Anruf bei der Brauerei
Neuer Kontakt: Sabine Wohlgemuth, arbeitet bei Studio Farbklecks
die ersten zwei bitte
Was ist der Unterschied zwischen Sekretärin und Assistentin?
Stellen bei Firmen, die nach Tarif zahlen
Wie lange ist die Kündigungsfrist nach drei Jahren im Betrieb?
Lohnt sich der Umstieg vom Klempner zum Heizungsbauer?
Trag bitte eine Stelle als Kassierer bei Markthof Ebersbach ein
Setz die Bewerbung bei Tarnow-Bahn auf abgelehnt
Schreib mir ein Anschreiben für die Stelle bei Sonnleitner Reha
Lösch den Kontakt Jupp Hövelmann
Ich hatte heute mein Gespräch bei Kettler & Voß, lief ganz gut
und wie sieht es mit denen in Bremen aus?
Meine Schwester hat letzte Woche fünf Absagen bekommen, was soll sie machen?
Alle Jobs außer denen in Berlin
Welche Stellen haben Gleitzeit?
Bei welchem Job gibt es einen Dienstwagen?
Zahlt Nordwind 24 besser als Quellwerk 7?
Zeig mir meine Remote-Jobs und lösch die Absagen
Wie viele Bewerbungen habe ich im März geschickt und wie viele davon waren gut?
Was habe ich dich eben gefragt?
Warum zeigst du mir nur zwei Stellen an?
Krieg ich in der Probezeit einen Kredit fürs Haus?
Wie lange dauert ein Arbeitsvisum für die Schweiz?
Was verdient ein Netzwerkadministrator in Hamburg so im Schnitt?
Was ist der Unterschied zwischen Dolmetscher und Übersetzer?
Ändere das Gehalt bei Rohrfuchs auf 41.000
Guten Morgen, alles klar bei dir?
Super, danke dir!
Ich hab langsam keine Lust mehr auf diese ganzen Absagen
Am Donnerstag treffe ich die Chefin der Praxis am Lindenhof
Die Halbe Treppe IT hat angerufen, die wollen mich nochmal sehen
Erinnere mich morgen daran, Wiebke Janßen zu schreiben
Wie viele Bewerbungen hat Torsten diesen Monat verschickt?
Welcher von meinen Jobs passt am besten zu mir?
Stellen in Freiburg ohne Schichtdienst
Übersetz mein Anschreiben ins Polnische
Was fragen die einen Quereinsteiger als Zugbegleiter?
Sind 50.000 Euro für einen Volkswirt zum Einstieg realistisch?
Bei welchen Stellen in Kassel wird ein Meisterbrief verlangt?
Wie viele offene Stellen für Physiotherapeuten gibt es deutschlandweit auf dem Markt?
Habe ich mehr Jobs in Ulm oder in Jena?
nee, ich meinte die andere Firma
Mach das wieder rückgängig
Ich hab mich gestern bei Hexlager Logistik als Kassiererin beworben
Entwirf eine Mail an Cem Yıldırım wegen des Eintrittstermins
Seit wann gibt es eigentlich die Deutsche Bahn?
Welche Firmen haben sich seit über drei Wochen nicht gemeldet?
Stell alle gespeicherten Jobs auf beworben
Weißt du noch, was ich dir über meinen Rücken erzählt habe?
Wie verhandle ich, wenn die mir nur 38.000 bieten?
Mein Antrag auf Bildungsgutschein wurde abgelehnt, was jetzt?
Muss ich eine Absage eigentlich begründen?
Welche Jobs sind weniger als 30 Minuten von mir entfernt?
Ab Montag fange ich bei Drögemüller & Söhne an
Soll ich als Steuerberaterin lieber in eine kleine Kanzlei gehen?
Wie gehe ich am besten in die Gehaltsverhandlung mit Studio Kante 4?
trag mal ne Stelle als Dachdecker bei Traufe 8 in Bochum ein
Setz den Job bei Löwe & Lamm auf abgesagt
lösch bitte alle gespeicherten Stellen
Schreib mir ein Anschreiben für die Logopädie-Stelle in Bad Oeynhausen
morgen hab ich um 9 ein Gespräch bei Eventschmiede 360
die haben mich heute angerufen und wollen mich kennenlernen
Auf wie viele Stellen hat sich mein Bruder beworben?
Mein Kreditantrag wurde letzte Woche abgelehnt
Brauche ich für einen Job in der Schweiz eine Arbeitsbewilligung?
Wie viele Logopäden gibt es in Deutschland?
zeig mir sämtliche Jobs, nur nicht die von Brüggemann & Thiel
Welche Stellen haben Dienstwagen?
Jobs mit Jobticket und Kantine
Welcher Job ist besser, der bei Hagebutt & Söhne oder der bei Traufe 8?
Verdient man bei Lindqvist mehr als bei Studio Kante 4?
Zeig mir die Jobs in Mainz und leg Jörn Petersen als Kontakt an
Wie viele Absagen habe ich und wie ist die Nummer von Henrike?
Was hab ich dich vorhin gefragt?
Warum zeigst du mir nur drei Stellen an?
Na, wie geht's dir heute so?
danke, du bist echt eine große Hilfe
Langsam verliere ich die Lust an der ganzen Sucherei
Was sagt man am besten auf die Frage nach den Schwächen?
schick Cem eine Mail, dass ich noch Interesse habe
Ändere die Telefonnummer von Ottilie von Rabenau auf 0561 5550142
Ich hab mich gestern bei Dachwerk Süd beworben
nächsten Donnerstag treffe ich mich mit Ana-Lucía wegen der Kanzleistelle
Was verdient ein Briefträger im Durchschnitt?
Was macht eigentlich ein Bauleiter anders als ein Architekt?
Wann bekomme ich Bescheid wegen meiner Wohnungsbewerbung?
Stellen mit netten Kollegen
Welche von meinen Jobs erreiche ich mit dem Rad?
Habe ich diesen Monat mehr Bewerbungen verschickt als letzten?
nee, das meinte ich nicht
nimm den ersten
Kannst du mein Anschreiben ins Englische übersetzen?
Sind 52.000 für eine Architektin mit acht Jahren Erfahrung okay?
Benenne die Firma Traufe 8 in Traufe Acht um
Meine Schwester hat ein Angebot von einem Café in Leipzig bekommen
das Anschreiben bitte etwas lockerer formulieren
hybride Jobs, aber ohne die mit Absage
Ab wann muss ich mich arbeitslos melden?
Erinner mich Freitag daran, bei der Kanzlei nachzuhaken
Soll ich das Angebot von der Klinik annehmen oder noch pokern?
trag bitte eine neue Stelle bei Kranbau Rössler in Emden ein
setz die Stelle bei Blütenwerk 7 auf abgelehnt
Ich hab mich gestern auf vier Stellen beworben, jetzt reicht's erstmal.
und wie sieht's mit der dritten aus?
Auf wie viele Stellen hat sich meine Schwester letzte Woche beworben?
Bekomme ich in der Probezeit einen Kredit fürs Auto?
Was verdient man als Psychologe im öffentlichen Dienst?
alle Stellen außer denen in München
Welche Jobs bieten eine betriebliche Altersvorsorge?
Zahlt Musikschule Tonleiter besser als die Kreismusikschule Wesel?
Wie viele Jobs habe ich gespeichert und wie lautet die Nummer von Wiebke Thomsen?
Schreib mir ein Anschreiben für die Stelle als Laborantin in Göttingen
lösch alle Absagen vom letzten Monat
Am Mittwoch hab ich ein Vorstellungsgespräch bei Assekuranz Meyerhoff
super, danke dir, schönen Feierabend
Brauche ich für eine Stelle in der Schweiz eine Aufenthaltsbewilligung?
Jobs als Floristin ohne Samstagsarbeit
warum krieg ich nur Absagen, was mach ich falsch?
mein Antrag auf Wohngeld wurde schon wieder abgelehnt
ändere das Gehalt bei der Stelle Terra-Quest Reisen auf 33.000
Was bedeutet eigentlich hybrid genau?
Wie wird das Wetter morgen in Bregenz?
leg einen Kontakt an: Henrike von Stetten, Personalabteilung, 0171 5550123
Wie begründe ich im Gespräch den Wechsel nach nur einem halben Jahr?
Welche Stellen zahlen mehr als die bei Klinik Sonnenhalde?
Die von Hebezeug Nord 24 haben angerufen, ich hab den Job!
Mein Mann hat im März zwölf Bewerbungen verschickt und keine einzige Antwort bekommen.
zeig mir die Jobs in Jena und schreib der ersten Firma eine Mail
Welche Stellen liegen in der Nähe vom Bahnhof?
Welchen Kranschein braucht man für einen Turmdrehkran?
erinner mich am Montag dran, bei Frau Feichtinger nachzuhaken
hast du das mit der Versicherung jetzt verstanden oder nicht?
Was zieht man als Reiseleiterin zum Vorstellungsgespräch an?
nächste Woche bewerbe ich mich bei einem Labor in Jena
such mir im Internet offene Stellen als Musiklehrer
Bei welchen Kontakten sollte ich mich mal wieder melden?
Sind die Stellen in Bremerhaven besser bezahlt als die in Cuxhaven?
Ist es unhöflich, nach einer Woche schon nachzufragen?
alle Jobs bis auf die bei Nordlicht Versicherung
zieh meine Bewerbung bei Stadtrundgänge Löffler zurück
ich bin vor Gesprächen immer so nervös, hast du einen Tipp?
Stellen mit Chefin statt Chef
schade, die Stelle in Villach ist schon vergeben
mach das bitte etwas kürzer und weniger steif
Wie lang ist die Kündigungsfrist nach fünf Jahren im Betrieb?
Soll ich mich bei Kranich7 nochmal melden?
Trag eine neue Stelle bei Holzapfel Chemie ein, 50.000 im Jahr.
Heute hab ich eine Absage von Wöhrle bekommen.
Zeig mir alle Stellen außer denen in Husum.
Wie viele Bewerbungen hat mein Bruder letzten Monat verschickt?
Welche Jobs haben ein Jobticket dabei?
Zahlt Pfifferling mehr als Nussbaum 21?
Wie viele Absagen hab ich und wie lautet die Nummer von Annegret?
Was hab ich dich gerade gefragt?
Lösch bitte alle abgelehnten Stellen.
Setz den Job bei Grünspan auf beworben.
Schreib mir ein Anschreiben für die Stelle als Texterin.
Ich hab langsam echt keine Lust mehr.
Danke, du bist spitze!
Was verdient man als Staplerfahrer so im Schnitt?
Wie beantrage ich einen Bildungskredit?
Mein Antrag auf Wohngeld wurde abgelehnt, was mach ich jetzt?
Mein Visum wurde letzten Monat genehmigt
Morgen bewerbe ich mich auf zwei Stellen.
Auf wie viele Stellen sollte man sich pro Woche bewerben?
Warum haben die mich bei Textwerk Ahrens abgelehnt?
Jobs, bei denen ich nicht pendeln muss, weil die U-Bahn vor der Tür hält
Ändere die Mailadresse von Jannis Terhorst in jt@terhorst.example
Wer ist Geschäftsführer bei Rösler Fördertechnik?
Lebt es sich gut in Quedlinburg?
nur die hybriden diesmal
Nenn mir fünf typische Fragen im Vorstellungsgespräch für Lehrer
Welche Berufe kann ich als Chemikerin noch machen?
Gestern hatte ich das zweite Gespräch bei von der Heyde, lief ganz gut
Zeig die gespeicherten Stellen und lösch davon die älteste
Hab ich diesen Monat mehr Absagen als im letzten?
welche jobs haben betriebliche altersvorsorge
Erinnere mich am Donnerstag an den Anruf bei Swantje
Wie viele offene Stellen gibt es in Deutschland?
Hast du mich vorhin richtig verstanden?
Was hat Herr Dobrowolski mir zuletzt geschrieben?
Gibt es bei Holzapfel noch andere Stellen, die ich nicht kenne?
meine Freundin hat drei Angebote in einer Woche bekommen, wie geht das
Alle Kontakte, nur nicht die von Rösler
Wie frage ich am besten nach mehr Gehalt?
Die zwei Jobs von gestern waren ein Versehen, nimm sie wieder raus
Wie lange dauert das Referendariat?
Erzähl mir einen Witz, die Schicht war lang
Was heißt eigentlich hybrid genau?
Stellen, wo der Chef sympathisch klang
Kannst du mir erklären, wie man ein Arbeitszeugnis liest?
Soll ich bei Krall & Söhne zusagen oder lieber noch warten?
Trag bitte eine Stelle als Landwirt auf Gut Elmenau ein.
Heute hatte ich das Gespräch bei Pixelhof 7, lief ganz gut.
Zeig mir alle Jobs außer denen in Graz.
Welche Stellen haben einen Dienstwagen?
Lösch den Job bei Tönnsen Landtechnik.
Wie viele Bewerbungen hat mein Mann dieses Jahr verschickt?
Zahlt Ostertag & Partner besser als Voltara 3?
Zeig mir die gespeicherten Stellen und schreib für die erste ein Anschreiben.
Was verdient ein Busmechaniker in der Schweiz im Schnitt?
na, wie gehts dir so
Warum hast du vorhin drei Absagen gezählt?
Mein Kreditantrag wurde letzte Woche abgelehnt, was kann ich tun?
Bei welchen Jobs darf ich meinen Hund mitbringen?
Setz die Zahnklinik am Weiher auf abgesagt.
Nächste Woche will ich mich auf drei Stellen in Husum bewerben.
Was antworte ich auf die Frage nach meinen Schwächen?
Wann hat sich meine Schwester bei Alpin Reisen 24 beworben?
Was habe ich dich heute als Erstes gefragt?
Ändere die Nummer von Wiebke Oltmanns auf 0151 5550173.
Bewerbe ich mich auf genug Stellen?
Wie viele Visumanträge habe ich letztes Jahr gestellt?
alle Stellen, die nicht in München sind
die von gestern, aber nur die guten
Lohnt sich mit 48 noch eine Umschulung zur Zahntechnikerin?
Erinner mich am Donnerstag daran, Kai-Uwe anzurufen.
Welche Jobs bieten Kinderbetreuung und Jobticket?
Hof Rehwinkel hat mir gerade abgesagt, so ein Mist.
Such mir im Internet neue Stellen als Rezeptionist in Tirol.
Schreib Jean-Luc Brändli eine Dankesmail.
Warum bekomme ich eigentlich nur Absagen?
Habe ich diesen Monat mehr Stellen gespeichert als im letzten?
Hast du meine letzte Frage verstanden?
Und welche davon liegt am nächsten am Bahnhof?
Mein Kumpel hat ein Angebot von Voltara 3 bekommen, toll oder?
Stell den Job in Meran auf Gespräch und sag mir, wie viele noch offen sind.
Ist es unhöflich, nach einer Woche nachzuhaken?
Danke, du hast mir sehr geholfen!
Zeig mir die Stellen, bei denen der Chef nett war.
Welche Papiere brauche ich für eine Arbeitserlaubnis in Norwegen?
Gestern im Bus hab ich noch zwei Jobs gespeichert.
Auf wie viele Stellen habe ich mich beworben und wie ist die Mail von Şule?
alles bis auf die Jobs, die ich zurückgezogen habe
Wie sieht der Arbeitsmarkt für PR-Leute in Wien gerade aus?
Was weißt du über die Firma Moor-Milch eG?
Falls ich die Stelle in Chemnitz kriege, wie lange wäre mein Arbeitsweg?
Wie viel Baukredit bekomme ich mit 3.200 Euro netto?
Vous croyez qu'à 64 ans on veut encore de moi dans un collège ?
ajoute un poste de soudeur chez Tuyauteries Blanchard à Dunkerque, 29k
passe Delorme & Filles en refusé stp
supprime tous les postes que j'ai enregistrés en mars
Rédige-moi une lettre de motivation pour la Clinique des Tilleuls
et le deuxième ?
et à Nantes ça donne quoi alors
Combien de candidatures ma sœur a-t-elle envoyées cette semaine ?
montre-moi les postes avec tickets resto
Quels postes à Lyon proposent la semaine de quatre jours ?
Est-ce que Chaudronnerie Vasseur paie mieux que Ferronnerie 2000 ?
Affiche mes refus et écris un mail à Solène Kerdoncuff
j'ai combien de candidatures et je relance qui en premier ?
C'était quoi ma question de tout à l'heure ?
j'ai passé l'entretien chez Logi-Ouest 44 ce matin, ça s'est super bien passé
Demain je postule chez Brume & Papier
Barnabé a changé de numéro, c'est le 06 12 34 56 78
Combien gagne en moyenne une infirmière au Luxembourg ?
C'est quoi la différence entre le TIG et l'arc ?
On peut avoir un prêt immobilier en période d'essai ?
il me faut un visa pour bosser au Québec comme graphiste ?
salut, ça va toi ?
merci beaucoup, tu m'as bien aidée
pourquoi on me refuse partout ?
Lequel de mes postes me correspond le mieux ?
j'accepte l'offre ou j'attends encore ?
28 000 euros pour un cariste à Roubaix, c'est correct ?
Modifie le salaire du poste chez Studio Pamplemousse, c'est 31 000
enlève Huguette Lestrade de mes contacts
Comment expliquer un trou de six ans devant un recruteur ?
On pose quoi comme questions à un avocat débutant ?
traduis ma lettre de motivation en anglais
les postes à côté d'une gare
Quelles entreprises ont une crèche ?
Combien de profs manquent dans l'académie de Créteil ?
tu m'avais dit d'appeler qui déjà ?
non, je parlais de l'autre cabinet
trie-les par salaire
Montre mes contacts, à part ceux de l'agence d'intérim
J'ai plus de postes en télétravail ou en hybride ?
Quels postes mon mari a-t-il enregistrés ?
rappelle-moi d'appeler Ghislaine jeudi
ils m'ont prise !!! je commence le 3
j'ai appelé l'agence la semaine dernière et toujours rien
ma cheffe d'équipe me rend dingue
Une lettre de motivation, ça doit faire combien de lignes ?
les postes où le recruteur était sympa
C'est quoi le numéro de téléphone de la CAF ?
Note que j'ai retiré ma candidature chez Aciéries Montfaucon et dis-moi combien il m'en reste
Tu penses que je devrais accepter le poste chez Plume et Rabot ?
ajoute un poste de cuisinier chez Farandol Traiteur, à Annecy, 27 000 euros
passe ma candidature chez Delacroze 3000 en refusée
supprime tous les postes de Roubaix stp
Rédige-moi une lettre de motivation pour le poste de comptable à Dijon
J'ai passé mon entretien chez Bertolin & Fils ce matin, je le sens bien
demain je postule chez Transvosges 88
Et à Quimper, alors ?
Combien de candidatures mon frère a-t-il envoyées ce mois-ci ?
ma coloc vient d'avoir son cinquième refus, je lui dis quoi ?
Est-ce qu'une banque me prêtera de l'argent si je suis en période d'essai ?
Il faut un visa pour bosser au Québec comme menuisier ?
Combien gagne un chef de partie en moyenne ?
tous les postes sauf ceux à Clermont-Ferrand
Montre-moi les jobs qui ne sont pas en télétravail
Quels postes offrent des tickets resto ?
les annonces où on travaille pas le dimanche
quels jobs sont accessibles en tram depuis chez moi ?
C'est mieux quoi, Studio 9 & Demi ou Aubrac-Vidal ?
Combien de refus j'ai eus en février, et comment je peux m'améliorer ?
donne-moi le numéro de Soizic Le Bihannic et prépare-moi ce que je dois lui dire
C'était quoi ma première question tout à l'heure ?
pourquoi tu m'affiches ça ?
Qui dirige L'Épi d'Ozanne ?
Comment expliquer un trou de deux ans dans mon parcours ?
Le mail de Fanchon Lestrade a changé, mets fanchon@vieuxlavoir.example
ça y est, je suis prise !!
ils m'ont proposé 2 100 net et j'ai dit que je réfléchissais
C'est quoi la différence entre un CDD et un CDI ?
Est-ce que j'ai plus de refus que d'entretiens ?
Combien de candidatures faut-il envoyer par semaine pour trouver vite ?
À qui de mes contacts je pourrais demander une recommandation ?
Ousmane Diakhaby, il est sympa ?
tu peux faire plus court ?
non, pas celui-là, l'autre
Le poste à La Rochelle, il est toujours en ligne ?
On est combien à avoir postulé chez Ébénisterie Malaval ?
oups, je me suis trompée, annule ce que tu viens de faire
Est-ce que je garde mon chômage si je reprends à mi-temps ?
merci beaucoup, tu m'as sauvé la journée
Mon père trouve que je vise trop haut avec les postes à plus de 40 000, il a raison ?
Les postes que j'ai ajoutés ce mois-ci paient-ils mieux que ceux du mois dernier ?
quelles boîtes ne m'ont jamais répondu depuis ma relance
Quels sont les diplômes requis pour devenir conducteur de car ?
lequel de ces postes me correspond le mieux d'après toi
Relance Titouan Gourvennec par mail pour savoir où ils en sont
retiens que je ne peux pas travailler le mercredi à cause des enfants
je suis crevé, j'en peux plus de chercher
Tu penses que je devrais accepter la proposition de Maison Grimbert ?
ajoute un poste d'électricien chez Voltalec 63, 29k, à Clermont
passe la Pharmacie du Vieux-Port en refusé stp
mon frère a postulé à combien d'offres la semaine dernière ?
tous les postes sauf ceux de Lille
parmi les postes sauvegardés, lesquels donnent une voiture de fonction ?
Est-ce que le télétravail paie mieux que le présentiel dans ma liste ?
montre-moi les postes hybrides et supprime les refus
c'était quoi ma question tout à l'heure ?
Comment expliquer mon trou de deux ans pendant l'entretien ?
on peut avoir un prêt immobilier en période d'essai ?
J'ai passé mon deuxième entretien chez Labotest-Ouest ce matin, ça s'est super bien passé
rédige une lettre de motivation pour la crèche Les P'tits Loups
Combien gagne une pharmacienne adjointe en moyenne à Lyon ?
les postes à moins d'une demi-heure de chez moi
quel poste me correspond le mieux à ton avis
supprime Thibault de mes contacts
change le numéro de Maëlle, c'est le 06 39 98 12 45 maintenant
j'ai un appel avec Studio Ocre 12 jeudi à 10h
est-ce que j'ai plus de refus que d'entretiens ?
c'est quoi la capitale de l'Australie déjà
faut un visa pour bosser dans un hôtel au Québec ?
les postes à Nantes sans travail le week-end
pourquoi tu m'affiches ceux-là ?
Combien y a-t-il de postes d'instituteur ouverts en France cette année ?
donne-moi mes postes en télétravail et aussi le mail de Souleymane
ma coloc a postulé à l'hôtel de Biarritz, ça en est où pour elle ?
et à Rennes alors ?
tous mes contacts à part les recruteurs
compare les propositions de Lefèbvre & Fils et de Miro&Co
j'en ai ras le bol de chercher, je suis crevée
merci, c'est tout pour ce soir
Au bout de combien de temps je peux relancer Voltalec ?
j'ai postulé hier dans une boîte de livraison à Montreuil
Laquelle de ces entreprises a bonne réputation auprès des testeurs ?
35k pour une responsable marketing à Nantes, c'est correct ?
tu te souviens de ce que je t'ai dit sur mon dos ?
mets le poste de livreur à Montreuil en retiré
ça avance mieux que l'an dernier ou pas ?
Quelles questions pose-t-on à une réceptionniste en entretien ?
la semaine prochaine je prends un café avec Ghislaine pour parler du poste
non, je parlais de l'autre
Prépare un petit mail de remerciement pour Mme Kerbrat
ça coûte combien l'habilitation électrique et j'ai combien de postes d'électricien ?
montre les postes où le patron avait l'air sympa
Je touche encore le chômage si je démissionne pendant la période d'essai ?
Comment je justifie trois ans de thèse à un recruteur du privé ?
mets Transports Guéguen en refusé stp
J'ai un essai chez Tif'Hair samedi matin
Combien de candidatures ma cousine a-t-elle envoyées le mois dernier ?
tous les postes sauf ceux à Annemasse
Quels postes proposent une mutuelle correcte ?
Est-ce que le poste à Vitré paie mieux que celui de Guérande ?
combien de refus j'ai, et c'est quoi le numéro de Maëlle ?
je t'ai demandé quoi tout à l'heure ?
Où en est ma demande de prêt immobilier ?
J'ai droit au chômage si je démissionne pour suivre mon conjoint ?
Supprime le contact Solène Bouhanna
rédige-moi une lettre de motivation pour la médiathèque
Ça gagne combien un conducteur de travaux débutant ?
j'en ai ras le bol de chercher
Ajoute un poste de caissière chez Primeurs Vaillant, à Redon
Tu me conseilles lequel ?
demain je postule à deux trucs à Villeurbanne
et parmi ceux-là, lesquels sont en CDI ?
Change le mail de Jean-Baptiste, c'est jb@exemple.fr maintenant
non pas celui-là, l'autre
Comment on passe le permis EC ?
Mon frère a eu deux refus en janvier, il est dégoûté
postes en télétravail sans astreinte
Pourquoi on ne me rappelle jamais après le premier entretien ?
Montre les candidatures de septembre et relance-les toutes
BioNéa-Sud vient de m'appeler, ils me voient jeudi à 14h
c'est bien enregistré ?
merci beaucoup, bonne soirée !
Quel poste colle le mieux à mon profil de bibliothécaire ?
Passe tous les postes sauvegardés en postulé
Il y a combien de kilomètres entre Mâcon et Montbrison ?
C'est quoi la différence entre un CDD et un CDI de chantier ?
Chez qui l'ambiance avait l'air la plus sympa ?
Faut-il que je relance Hydro-Génie ou j'attends encore ?
À quels postes Karim a-t-il postulé ?
Finalement je retire ma candidature chez L'Atelier d'Ondine
explique-moi ça plus simplement
compare les deux offres que j'ai reçues
Au bout de combien de jours on relance quand on a postulé la semaine dernière ?
Y a-t-il des salons de coiffure qui recrutent en ce moment à Quimper ?
mes contacts, hormis ceux de chez Lefèbvre
J'ai été prise !!!!
les postes où je pourrais venir à vélo
qui a construit le viaduc de Garabit ?
la suite stp
Ça fait combien en net 31000 brut par an ?
Mon visa de travail pour la Suisse, il est accepté ou pas ?
Tu penses que je devrais accepter la proposition de Voxiline 33 ?
passe Gazette du Marais en refusé stp
J'ai eu la directrice du Clos des Tilleuls au téléphone ce matin, elle a l'air emballée.
Combien de candidatures mon cousin a-t-il envoyées la semaine dernière ?
on peut avoir un prêt immobilier en étant en CDD ?
tous les postes sauf ceux de Nantes
les postes où on ne travaille pas le dimanche
Est-ce que Kodelia2 paie mieux que Voxiline 33 ?
donne-moi les refus d'octobre et le numéro de Yann
je t'ai demandé quoi tout à l'heure déjà ?
Rédige une lettre de motivation pour le poste de pigiste à Clermont.
Combien gagne un boulanger débutant en France ?
Ajoute un contact : Loïc Pennec, Serres de Kerlouan, 06 55 12 00 47
La semaine prochaine je vais postuler dans trois jardineries.
Quel titre de séjour faut-il pour travailler comme saisonnier ?
supprime toutes les candidatures que j'ai retirées
rappelle-moi d'appeler Maëlle vendredi
lequel est le plus près de la gare ?
Comment expliquer un trou de deux ans à un recruteur ?
les postes qui ne sont pas en télétravail
ma coloc a été prise à la Résidence Beau-Séjour, elle avait passé combien d'entretiens ?
c'est normal de rien recevoir pendant trois semaines ?
merci t'es un amour
Change le salaire de Pousse & Racine, mets 29 000.
pourquoi ils m'ont refusé au Fournil de l'Abbaye ?
Ça veut dire quoi exactement, un poste hybride ?
quels postes ont une mutuelle prise en charge à 100 %
Quelle est la plus longue rivière d'Europe ?
ça y est, j'ai décroché le poste à Limoges !!!
tu trouves que j'envoie assez de candidatures ?
tous mes contacts à part les cabinets de recrutement
Laquelle de mes entreprises traite le mieux ses soignants ?
tu as bien retenu ce que je t'ai dit sur Thérèse ?
Comment demander une augmentation sans passer pour quelqu'un de gourmand ?
écris un mail à Fatoumata pour dire que je suis toujours intéressée
les postes à moins de 20 minutes en vélo de chez moi
Avec ce salaire, je pourrais rembourser mon prêt étudiant en combien de temps ?
J'ai envoyé plus de candidatures ce mois-ci que le mois dernier ?
Je viens de postuler chez Mélilot & Cie, vendeuse, 22 000, Quimper
il se passe quoi si je me rétracte après avoir signé ?
un poste avec un chef sympa, ça existe ? lol
réexplique ta dernière réponse plus simplement
Sandrine, elle a combien de contacts dans son nouveau journal ?
Mets les trois postes d'Angers en « postulé ».
montre les postes à Roubaix et ajoute celui que j'ai vu ce matin
j'en peux plus de chercher, franchement
Combien de temps dure une période d'essai pour un cadre ?
Tu crois que je devrais accepter le poste chez Studio Ganache ?
tous les postes sauf ceux de Quimperlé
postes avec voiture de fonction
J'ai postulé ce matin chez Carrosserie Mazzoni
Ajoute un poste de secrétaire médicale au Centre Bellerive, 26 000 €
supprime le contact Ghislaine Pottier
Passe la candidature chez Vigie 24 en refusée
Rédige-moi une lettre de motivation pour le poste de chef de partie à Annecy
Entre Lefort & Fils et Mazzoni, c'est lequel qui paie le mieux ?
Combien de refus j'ai eus et c'est quoi le mail de Solène Castagnède ?
Je t'ai demandé quoi tout à l'heure ?
Mon frère a postulé à cinq postes de vigile, il aura une réponse quand ?
Il faut un visa pour exercer comme sage-femme au Québec ?
On peut avoir un prêt immobilier en CDD ?
Combien gagne un webdesigner débutant à Lyon en général ?
Comment justifier un trou de deux ans en entretien ?
Salut, ça va aujourd'hui ?
Merci beaucoup, t'es top
J'en ai ras le bol de tous ces refus
Entretien jeudi à 9h30 au Cabinet Morvan-Silva
Yacine m'a rappelé, ils veulent me revoir la semaine prochaine
Modifie le numéro de Maëlle Le Goff, c'est 02 99 00 00 12
les postes à moins de vingt minutes de chez moi à vélo
Montre-moi les postes qui ne sont pas en télétravail
Dans laquelle de ces boîtes l'ambiance est la meilleure ?
Combien de salariés compte Dubreuil Sécurité ?
Je m'habille comment pour un entretien dans un restaurant étoilé ?
27 000 brut, c'est correct pour un cuistot ?
Est-ce que la carte pro est obligatoire pour être agent de sécurité ?
Affiche mes candidatures de mars puis efface celles qui ont été refusées
T'es sûr de ton chiffre ?
Est-ce que tu gardes en mémoire nos discussions ?
En moyenne il faut combien de candidatures pour trouver un poste ?
postes sans travail le dimanche à Pau
Ma copine Inès s'est fait refuser à la Maternité du Val Fleuri, elle peut retenter ?
Tous mes contacts à part ceux de Tissot & Rouvière
Pourquoi on ne me rappelle jamais après les entretiens ?
J'ai plus postulé ce mois-ci que le mois dernier ?
Prépare un mail de relance pour Jean-Baptiste N'Diaye
Je commence par appeler qui, à ton avis ?
J'ai posé ma démission au garage hier soir
Ils me proposent 30 000, comment négocier un peu plus ?
Rappelle-moi demain de relancer la brasserie
Nouveau contact : Corentin Abgrall, il bosse chez Menhir Web
les deux premiers s'il te plaît
C'est quoi la différence entre une secrétaire et une assistante de direction ?
les postes dans des entreprises qui offrent des tickets resto
La période d'essai peut être renouvelée combien de fois ?
Est-ce que ça vaut le coup de passer de plombier à chauffagiste ?
Ajoute un poste de caissier chez Halles Morin à Albi
Passe ma candidature chez Ferro'Ouest en refusée
Rédige-moi une lettre de motivation pour le poste chez Lexi-Trad
Supprime le contact Jean-Loup Ferrandi
J'ai eu mon entretien à la Clinique des Tilleuls ce matin, ça s'est bien passé
et ceux de Rennes ?
Mon cousin a envoyé dix candidatures la semaine dernière, c'est normal qu'il n'ait rien ?
Tous les postes sauf ceux de Paris
Quels postes proposent des tickets resto ?
Quels postes ont une voiture de fonction ?
Aqua 3000 paie mieux que Dubreuil Chauffage ?
Montre-moi mes postes en télétravail et supprime les refus
Combien de candidatures j'ai envoyées en mars et qu'est-ce que tu en penses ?
Qu'est-ce que je t'ai demandé tout à l'heure ?
Pourquoi tu ne m'en affiches que trois ?
On peut avoir un prêt immobilier pendant la période d'essai ?
Il faut quel visa pour bosser comme kiné au Québec ?
Combien gagne un administrateur réseau à Lyon en moyenne ?
C'est quoi la différence entre un interprète et un traducteur ?
Mets le salaire du poste chez Orvane Santé à 37 000
Bonjour, comment ça va aujourd'hui ?
Merci, t'es au top
J'en peux plus de tous ces refus
Jeudi je vois la directrice de Trans'Alpes Fret
Voltige & Cie m'a rappelé, ils veulent me revoir
Rappelle-moi d'écrire à Yanis Belkacem demain
Combien de candidatures Clémence a envoyées ce mois-ci ?
Les postes à Grenoble sans travail le week-end
Traduis ma lettre de motivation en italien
On pose quoi comme questions à un futur contrôleur de train ?
35 000 pour un économiste débutant, c'est correct ?
Quels postes de plombier acceptent les débutants ?
Il y a combien d'offres de kiné sur le marché en France en ce moment ?
J'ai plus de postes à Metz ou à Annecy ?
non, je parlais de l'autre entreprise
Annule ce que tu viens de faire
J'ai postulé hier chez Hexal Logistique comme hôtesse de caisse
Prépare un mail pour Solène de La Tour à propos de la date d'embauche
Depuis quand existe la SNCF ?
Quelles entreprises ne m'ont pas répondu depuis plus de trois semaines ?
Passe tous mes postes enregistrés en candidature envoyée
Tu te souviens de ce que je t'ai dit sur mon dos ?
Comment négocier si on me propose seulement 30 000 ?
Ma demande d'APL a été refusée, je fais quoi ?
Faut-il répondre à un refus ?
Quels postes sont à moins de vingt minutes de chez moi ?
Je commence lundi chez Maréchal & Fils
Tu crois que je devrais accepter le poste chez Lauze & Zinc ?
Comment on s'habille pour un entretien dans une agence d'architecture ?
ajoute un poste de barista chez Comptoir 1887 à Lille, 23 000 euros
Passe le poste chez Atelier 3 Pignons en refusé
supprime tous les postes à Grenoble
Rédige-moi une lettre de motivation pour le poste d'orthophoniste à Quimper
j'ai un entretien lundi matin chez Grand Pavois
ils viennent de m'appeler, je passe au deuxième tour !
et à Rennes ?
Ma sœur a postulé à combien de postes ?
ma demande de prêt a été refusée hier
Faut-il un visa pour bosser comme couvreur au Québec ?
Combien y a-t-il de facteurs en France ?
montre les jobs en télétravail à part ceux de Fiscalis Moreau
Quels postes proposent une mutuelle et des tickets resto ?
les jobs où on finit à midi
Lequel paie le mieux entre Orthovox 44 et Brûlerie du Quai ?
L'offre de Bordeaux est-elle plus intéressante que celle de Dijon ?
montre-moi les postes à Toulouse et ajoute Soizic Kerjean dans les contacts
J'ai combien de refus et c'est quoi le mail de Baptiste ?
pourquoi tu ne m'en as affiché que deux
merci beaucoup, t'es au top
j'en ai un peu marre de chercher, franchement
envoie un mail à Jean-Loup pour le relancer
remplace le numéro de Maëlle Le Guennec par 02 98 55 01 42
hier j'ai postulé chez Toitures Ferrand comme couvreur
jeudi prochain je déjeune avec Fatoumata pour parler du cabinet
Combien gagne un conseiller fiscal débutant ?
C'est quoi la différence entre un architecte et un maître d'œuvre ?
ma candidature pour l'appart, j'aurai la réponse quand ?
les postes avec une bonne ambiance
Lesquels de mes postes sont accessibles en tram ?
Est-ce que j'ai plus postulé ce mois-ci que le mois dernier ?
non, c'est pas ce que je voulais
prends le premier
Peux-tu traduire ma lettre de motivation en breton ?
35 000 pour une cheffe de projet événementiel, c'est correct ?
renomme l'entreprise Comptoir 1887 en Le Comptoir
mon cousin a reçu une offre d'un café à Toulouse
raccourcis un peu la lettre stp
Quel poste me correspond le mieux ?
les postes hybrides mais pas ceux qui m'ont dit non
J'ai droit au chômage si je démissionne ?
Rappelle-moi vendredi de relancer la brûlerie
Tu crois que je devrais accepter le poste de fleuriste ou attendre un peu ?
coucou, ça va aujourd'hui ?
ajoute un poste de grutier chez Levage Atlantique à Saint-Nazaire
passe le poste chez Pivoine & Cie en refusé stp
J'ai postulé à cinq annonces hier soir, je suis lessivée
Mon fils a postulé à combien de postes en septembre ?
Est-ce qu'on peut avoir un prêt immobilier en CDD ?
Combien gagne une psychologue scolaire en début de carrière ?
Est-ce que Biolab 34 paie mieux que le laboratoire Cernay ?
J'ai combien de postes sauvegardés, et c'est quoi le mail de Maëlle Kervadec ?
Rédige-moi une lettre de motivation pour le poste de guide à Carcassonne
supprime tous les postes où j'ai été refusé
j'ai un entretien mardi à 14h chez Mutuelle Garance
merci mille fois, bonne soirée !
Il me faut un visa pour travailler comme guide au Québec ?
des postes de professeur de musique sans cours le mercredi
pourquoi personne ne me répond, tu as une idée ?
la banque a refusé mon dossier la semaine dernière
modifie le salaire du poste chez Voyages Tramontane, c'est 29 500
C'est quoi la différence entre CDI et CDD ?
quel temps fera-t-il à Dunkerque demain ?
enregistre le nouveau numéro d'Idriss Benhamouda : 06 39 98 01 22
Quels postes paient plus que celui de la Clinique du Val-Fleuri ?
Ça y est, la clinique m'a rappelée, je suis prise !
ma voisine a envoyé trente candidatures le mois dernier, tu te rends compte ?
montre les postes à Nîmes et écris un mail au premier
Quels postes sont accessibles en tram ?
C'est quoi le CACES qu'il faut pour une grue à tour ?
rappelle-moi jeudi de relancer Bérengère Lhuillier
tu as compris ce que je t'ai dit sur le conservatoire ?
On s'habille comment pour un entretien dans les assurances ?
la semaine prochaine je vais postuler à un poste à Annecy
cherche-moi sur internet des annonces de fleuriste
À qui de mes contacts je devrais écrire en premier ?
Les postes à Lyon sont-ils mieux payés que ceux à Grenoble ?
Ça fait insistant de relancer au bout de quatre jours ?
toutes mes entreprises à part Assurances Delvaux
retire ma candidature chez Analyses Médicales du Rhône
j'ai le trac avant chaque entretien, comment tu ferais toi ?
les postes où l'ambiance est bonne
dommage, le poste à Aix-les-Bains est déjà pourvu
plus court s'il te plaît, et moins formel
Un préavis de psychologue en clinique privée, ça dure combien de temps ?
Tu crois que je devrais relancer Atelier 17 ?
Ajoute un poste de chimiste chez Lorrain Chimie à 39 000 €.
Ce matin j'ai reçu un refus de Maillard.
Montre tous les postes sauf ceux en télétravail.
Combien de candidatures ma sœur a-t-elle envoyées ?
quels postes donnent des tickets resto ?
Est-ce que Brunoy 3D paie mieux que Plume d'Encre ?
Combien de refus ai-je et c'est quoi le mail d'Aurélien ?
Je t'ai demandé quoi juste avant ?
Supprime tous les postes refusés.
Passe le poste chez Galipette en postulé.
Rédige une lettre de motivation pour le poste de cariste.
J'en peux plus de chercher.
Merci beaucoup, t'es au top
Combien gagne une assistante dentaire en Bretagne ?
Comment demander un prêt étudiant ?
Ma demande de visa a été refusée le mois dernier
La banque a refusé mon crédit immobilier, je fais quoi ?
Demain je postule à trois postes.
À combien de postes faut-il postuler par semaine ?
Pourquoi Delaunay-Prigent m'a refusée ?
Lequel de mes postes me conviendrait le mieux ?
les postes à moins de vingt minutes de chez moi
Change le numéro de Solène Le Guennec, c'est le 06 00 00 12 34 maintenant
Qui dirige Transports Vasseur ?
On vit bien à Douarnenez ?
seulement les hybrides cette fois
non, je parlais de l'autre boîte
Donne-moi cinq questions qu'on pose en entretien à un prof
Quels métiers je peux faire avec une licence de chimie ?
J'ai passé mon deuxième entretien chez Orthéa hier, c'était pas mal
Affiche les postes sauvegardés puis efface le plus vieux
J'ai eu plus de refus ce mois-ci que le mois dernier ?
quels postes ont une bonne mutuelle
Rappelle-moi d'appeler Yohan jeudi
Combien y a-t-il de postes vacants en France ?
Tu as bien compris ce que je disais tout à l'heure ?
Qu'est-ce que Bérénice m'a écrit dans son dernier message ?
Lorrain Chimie recrute en ce moment ?
un pote a reçu trois offres en une semaine, comment il fait
Tous mes contacts à part ceux de chez Vasseur
Comment négocier son salaire sans paraître gourmand ?
les deux postes d'hier c'était une erreur, enlève-les
Combien de temps dure la formation CACES ?
Raconte-moi une blague, la journée a été longue
ça veut dire quoi exactement un poste hybride ?
les postes où la recruteuse avait l'air sympa
Explique-moi comment lire une fiche de paie
Tu crois que je devrais accepter le poste chez Brunel & Fils ?
Ajoute un poste de réceptionniste à l'Hôtel du Lac, 24 000 euros.
J'ai passé l'entretien chez Atelier 12 ce matin, ça s'est bien passé.
Montre-moi tous les postes sauf ceux de Namur.
Quels postes proposent une voiture de fonction ?
Supprime le poste chez Transports Gaudry.
Combien de candidatures mon frère a-t-il envoyées cette année ?
Est-ce que Nova 88 paie mieux que Hydro-Sud ?
Montre-moi les postes enregistrés et rédige une lettre pour le premier.
Combien gagne un mécanicien de bus en Belgique en moyenne ?
salut, ça va ?
Pourquoi tu m'as dit que j'avais trois refus ?
Ma demande de prêt a été refusée la semaine dernière, je fais quoi ?
Dans quels postes je peux venir avec mon chien ?
Passe la Clinique des Tilleuls en refusé.
La semaine prochaine je vais postuler à trois postes à Annecy.
Je réponds quoi si on me demande mes défauts ?
Quand est-ce que ma sœur a postulé chez Atelier 12 ?
postes avec semaine de quatre jours
C'était quoi ma première question aujourd'hui ?
Change le numéro de Maëlys Kerguelen, c'est le 06 39 98 41 07.
Est-ce que je postule assez ?
Combien de demandes de visa ai-je déposées ?
tous les postes qui ne sont pas à Paris
ceux d'hier mais seulement les bons
Une reconversion dans l'hôtellerie à 50 ans, ça vaut le coup ?
Rappelle-moi d'appeler Jean-Baptiste jeudi.
Quels postes ont une crèche et des tickets resto ?
La Ferme des Trois Buis vient de me dire non, je suis dégoûté.
Cherche-moi sur internet de nouveaux postes de vendeur à Lorient.
Écris un mail de remerciement à Théo de La Brosse.
C'est quoi le numéro des impôts à Limoges ?
Est-ce que j'ai enregistré plus de postes ce mois-ci que le mois dernier ?
Tu as compris ma dernière question ?
Et lequel est le plus près de la gare ?
Mon copain a reçu une offre de Hydro-Sud, c'est génial non ?
Mets le poste de Biarritz en entretien et dis-moi combien il m'en reste.
C'est malpoli de relancer au bout d'une semaine ?
Merci, tu m'as bien aidée !
Montre-moi les postes où le patron avait l'air sympa.
Il faut quels papiers pour travailler au Québec ?
Hier soir dans le train j'ai enregistré deux postes.
À combien de postes j'ai postulé, et c'est quoi le mail de Nadia ?
tout à part les postes dont je me suis retirée
Le marché de l'emploi pour les dentistes à Lyon, ça donne quoi en ce moment ?
Que sais-tu sur l'entreprise Morvan, Leduc & Associés ?
Si je décroche le poste à Vierzon, j'aurai combien de trajet ?
Je peux emprunter combien avec 2 400 euros net par mois ?
¿Usted cree que con 62 años todavía me cogerían en un colegio?
añade un puesto de soldador en Calderería Noriega, Gijón, 26.000
pon Talleres Íñiguez como rechazado
borra todos los trabajos que guardé en marzo
Escríbeme una carta de presentación para Clínica Valdelagrana
¿y el segundo?
y en Sevilla qué hay entonces
¿Cuántas candidaturas ha enviado mi hermano esta semana?
todos los puestos menos los de Madrid
enséñame los trabajos con comedor de empresa
¿Qué puestos en Valencia tienen jornada intensiva?
¿Paga mejor Forjas Goñi que Metalúrgica del Bierzo?
Muéstrame los rechazos y mándale un correo a Leopoldo Ñíguez
cuántas candidaturas tengo y a quién debería insistirle primero?
¿Qué te pregunté hace un rato?
hoy tuve la entrevista en Logística Trébol 3 y salió genial
mañana me postulo a Editorial Zarzamora
Ainhoa cambió de número, ahora es el 600 123 456
¿Cuánto gana de media una enfermera en Chile?
¿Qué diferencia hay entre soldar con TIG y con electrodo?
me dan una hipoteca si estoy en periodo de prueba?
necesito visa para chambear de diseñador en Canadá?
holaa qué tal estás
mil gracias, eres un sol
por qué me rechazan en todas partes?
¿Cuál de mis puestos me conviene más?
acepto la oferta o espero un poco más?
¿22.000 está bien para un carretillero en Getafe?
Cambia el sueldo de Estudio Ñandú a 1.200.000
quita a Remedios Quintanilla de mis contactos
¿Cómo explico un hueco de siete años en una entrevista?
¿Qué le suelen preguntar a un abogado recién colegiado?
tradúceme la carta de presentación al catalán
trabajos que estén cerca del metro
¿Qué empresas tienen guardería?
¿Cuántas plazas de maestro salen este año en Castilla y León?
¿a quién me dijiste que llamara?
no, me refería al otro bufete
ordénalos por sueldo
Enséñame los contactos, salvo los de la ETT
¿Tengo más puestos remotos o más híbridos?
¿Qué puestos ha guardado mi mujer?
recuérdame llamar a Maruja el jueves
me dieron el trabajo!!! empiezo el día 3
la semana pasada llamé a la agencia y nadie me contesta
mi encargado me tiene harta
¿Cuántos párrafos debe tener una carta de presentación?
los trabajos donde el jefe me cayó bien
¿Cuál es el teléfono de la Seguridad Social?
apúntame que retiré la candidatura de Residencia Los Almendros y dime cuántas me quedan
hola, cómo andas hoy
¿Tú crees que me conviene el trabajo de Ebanistas del Ebro?
apúntame una vacante nueva: cocinera en Ñandú Catering, en Cuenca
pon la candidatura de Ruedas & Rutas como rechazada
borra todos los trabajos de Albacete
Escríbeme una carta de presentación para el puesto de contable en Zaragoza
Ayer hice la entrevista en Cocinas Lumbre 7 y salí contentísimo
mañana voy a echar la solicitud en Talleres Quiñonero
¿y los de Guadalajara?
¿Cuántas candidaturas ha mandado mi hermana?
a mi primo lo rechazaron otra vez, cómo le animo?
¿Me darán la hipoteca con un contrato temporal?
¿Qué visa necesito para trabajar de carpintero en Canadá?
¿Cuánto cobra de media un conductor de autobús en España?
todos los trabajos menos los de San Sebastián
enséñame los puestos que no sean presenciales
¿Qué trabajos incluyen seguro médico?
puestos donde no haya que trabajar los domingos
qué empresas tienen parking para empleados?
¿Qué me sale mejor, Belloso & Cía o Bodegas Tres Llaves?
¿Cuántos rechazos llevo en enero y qué estoy haciendo mal?
dame el teléfono de Maite Goicolea y recuérdame llamarla el jueves
¿Qué fue lo primero que te pregunté?
por qué me enseñas esto ahora
¿Quién es el dueño de Maderas Urrutikoetxea?
¿Cómo le digo a mi jefa que me voy sin quedar mal?
Cambia el correo de Xiomara Betancur por xiomara@lumbre7.example
me cogieron, no me lo creo!!!
me ofrecen 1.600 al mes y les dije que me lo pensaba
¿Qué diferencia hay entre salario bruto y neto?
¿Tengo más entrevistas que rechazos?
¿Cuántas candidaturas a la semana es lo normal?
¿Cuál de mis contactos me podría echar una mano?
cuántos años tiene Nicanor Echeverri?
hazlo más cortito porfa
no, ese no, el otro
¿Sigue abierta la vacante de Ciudad Real?
¿Cuánta gente se ha apuntado aparte de mí al puesto de Asesores Almagro-Peña?
ay, me equivoqué, deshaz lo último
¿Pierdo el paro si acepto un trabajo de media jornada?
mi madre dice que busque solo trabajos en remoto, tú qué opinas
¿Pagan mejor los puestos de Cuenca o los de Albacete?
qué empresas llevan más de un mes sin contestarme
¿Qué hay que estudiar para ser analista de datos?
de estos trabajos cuál pega más conmigo?
mándale un mensaje a Chema Valdeolivas y pregúntale si ya decidieron
acuérdate de que no puedo trabajar por las tardes
qué nervios, el lunes tengo la entrevista con los de Los Dos Tanos
¿Tú aceptarías lo de Talleres 2 Hermanos o esperarías un poco más?
apunta un puesto nuevo de electricista en Instalaciones Ríos-Cabral, 27k, Zaragoza
pon la Farmacia del Pilar como rechazada
a cuántos trabajos aplicó mi hermano la semana pasada?
todos los empleos menos los de Valencia
de los guardados, ¿cuáles dan coche de empresa?
¿Pagan mejor los remotos que los presenciales?
enséñame los híbridos y de paso borra los rechazados
qué te pregunté hace un rato?
¿Cómo explico en la entrevista que estuve un año sin trabajar?
me darán la hipoteca si estoy en periodo de prueba?
Esta mañana tuve la segunda entrevista en Hotel Miramar y salió genial
escríbeme una carta de presentación para la Escuela Infantil Garabatos
holaaa, qué tal el día?
¿Cuánto gana de media un farmacéutico en Andalucía?
trabajos a menos de media hora de mi casa
cuál me conviene más?
borra a Chema de mis contactos
cambia el teléfono de Begoña al 612 555 083
el jueves a las 10 tengo llamada con Brújula Comunicación
¿llevo más rechazos que ofertas?
quién inventó el teléfono?
¿Necesito visado para trabajar en un hotel en Suiza?
puestos en Cádiz sin turno de noche
por qué me sacas esos?
¿Cuántas plazas de maestra de infantil salen este año en España?
dame mis trabajos remotos y también el correo de Nahuel
mi compañera de piso se postuló en Garabatos, ¿cómo va lo suyo?
y en Sevilla?
todos mis contactos salvo los reclutadores
compara las ofertas de Peñafiel y de Urrutia
estoy agotada, esto de buscar trabajo es un suplicio
gracias, por hoy ya está
¿Cuánto espero antes de volver a escribir a Laboratorios Vela-Quintanar?
ayer eché solicitud en una empresa de reparto de Guadalajara
¿Cuál de estas empresas trata mejor a los testers?
empleos con comida incluida en el turno
tradúceme la carta de presentación al inglés
¿30.000 está bien para una gerente de marketing en Valencia?
te acuerdas de lo que te conté de mi espalda?
pasa lo de repartidor en Guadalajara a retirado
¿voy mejor que el año pasado?
¿Qué le suelen preguntar a una recepcionista en la entrevista?
la semana que viene quedo con Itziar a tomar un café por lo de la vacante
no che, te decía el otro
Redacta un correo corto de agradecimiento para la señora Zubizarreta
cuánto cuesta el carnet de instalador y cuántos empleos de electricista tengo?
muéstrame los trabajos donde el jefe parecía buena gente
si renuncio, ¿pierdo el derecho al paro?
pon Áridos del Jiloca como rechazado
El martes tengo prueba de corte en Peluquería Ñandú
¿Cuántas candidaturas ha echado mi primo este mes?
todos los empleos menos los de Zaragoza
¿Qué trabajos tienen comedor de empresa?
¿Pagan mejor en Getxo o en Ponferrada?
cuántos rechazos llevo y cuál es el teléfono de Begoña?
qué te había preguntado antes?
¿Puedo cobrar el paro si trabajo media jornada?
Borra el contacto de Paco Mondéjar
escríbeme una carta de presentación para lo de la biblioteca
¿Cuánto gana un ingeniero de caminos recién titulado?
estoy hasta el moño de buscar y que nadie conteste
Añade un puesto de mozo de almacén en Frutas Belda, Xàtiva
¿Con cuál te quedarías tú?
mañana me voy a apuntar a un par de ofertas en Cádiz
y de esos, cuáles son indefinidos?
Cambia el correo de Rocío por rocio@ejemplo.es
¿Qué hace falta para sacarse el CAP?
A mi hermana la rechazaron en diciembre de cuatro sitios
trabajos remotos que no pidan inglés
¿Por qué será que nunca paso de la primera entrevista?
Enséñame las candidaturas de mayo y escríbeles a todas
Me acaban de llamar de Grupo 7 Mares, quieren verme el lunes
¿lo has guardado o no?
gracias maja, hasta mañana
¿Cuál de mis empleos le pega más a una doctora en biología?
Pasa todos los guardados a postulado
¿A cuánto está Talavera de Madrid en coche?
¿Qué es un contrato fijo discontinuo?
¿En qué empresa me trataron mejor en la entrevista?
¿Le vuelvo a escribir a Laboratorios Quiñonero o espero?
¿A qué puestos se ha postulado Lorena?
Al final me retiro de lo de Modas D'Elia, está lejísimos
no te he entendido, dímelo de otra forma
compárame las dos ofertas que tengo
Si me postulé la semana pasada, ¿cuándo puedo preguntar cómo va?
¿Hay alguna tienda en Chiclana que esté buscando gente ahora?
mis contactos, quitando los de Ibarlucea
¡¡Me han cogido!!
¿Qué contesto si me preguntan cuánto quiero cobrar?
los trabajos a los que puedo ir andando
quién inventó el código de barras
sigue, sigue
¿Cuánto se me queda limpio de 26000 brutos?
me aprobaron la visa para Canadá o todavía nada?
¿Tú crees que debería aceptar lo de Atiende 24 o espero un poco más?
pon Diario La Ribera como rechazado
Esta mañana me han llamado de la Residencia Los Almendros y ha ido genial.
¿Cuántas candidaturas mandó mi hermana la semana pasada?
me dan una hipoteca si tengo contrato temporal?
trabajos sin turno de noche
¿Paga mejor Zentrix9 que Atiende 24?
enséñame los rechazos de mayo y el teléfono de Chelo
qué te he preguntado antes?
Redacta una carta de presentación para el puesto de redactora en Burgos.
buenas, qué tal el día?
¿Cuánto gana de media un panadero en España?
Añade un contacto: Amaia Zubiri, Viveros Sant-Roc, 611 20 94 35
La semana que viene voy a probar suerte en tres viveros.
¿Qué visado necesito para trabajar de temporera?
borra todas las candidaturas de las que me retiré
recuérdame llamar a Begoña el viernes
cuál de esos queda más cerca del metro?
¿Cómo explico en una entrevista dos años sin trabajar?
los empleos que no sean en remoto
a mi compi la cogieron en Cuidados Alborada, cuántas entrevistas le hicieron?
es normal que no digan nada en tres semanas?
gracias, eres un sol
Cambia el salario de Peláez & Hijos a 25.500.
por qué me rechazaron en el Horno Doña Pura?
¿Qué significa exactamente que un puesto sea híbrido?
qué trabajos incluyen seguro médico
¿Cuál es la capital de Mongolia?
que me han cogido en Logroño!!!
crees que estoy mandando pocas candidaturas?
todos mis contactos excepto los de las ETT
¿Cuál de mis empresas trata mejor a sus cuidadoras?
te has quedado con lo que te conté de Nuria?
¿Cómo pido más sueldo sin parecer un aprovechado?
escríbele un correo a Ximena diciéndole que sigo interesada
curros a menos de 20 minutos en bici de mi casa
Con ese sueldo, ¿podría pagar el préstamo del coche?
¿He mandado más candidaturas este mes que el pasado?
Acabo de apuntarme a Trigo y Miel S.L., dependienta, 18.000, Elche
qué pasa si me echo atrás después de firmar?
un curro con un jefe majo, existe eso? jaja
explícame otra vez lo último que has dicho
¿Cuántos contactos tiene Maite en su nuevo periódico?
Pasa los tres puestos de Cuenca a «solicitado».
sácame los de Getafe y añade el que vi esta mañana
estoy harta de buscar, de verdad te lo digo
¿Cuánto dura el periodo de prueba de un contrato indefinido?
¿Tú qué harías, acepto el puesto de la Clínica Santa Brígida?
todos los puestos menos los de Zaragoza
trabajos con coche de empresa
Acabo de echar la solicitud en el Taller Hermanos Quispe
Añade un puesto de cocinera en el Mesón del Arriero, 20.000 al año
borra el contacto de Nacho Belmonte
Pon la candidatura de Estudio Ñandú como rechazada
Escríbeme una carta de presentación para el puesto de matrona en Teruel
¿Cuál me conviene más, Grupo Almenara o Gráficas Puig-Roca?
¿Cuántos puestos tengo en Gijón y cuál es el correo de Xiomara del Valle?
Mi primo se postuló a tres puestos de vigilante, ¿cuándo le contestarán?
¿Necesito visado para trabajar de mecánico en Irlanda?
¿Me darán una hipoteca con un contrato temporal?
¿Cuánto cobra de media una matrona en España?
¿Cómo explico en la entrevista que estuve tres años sin trabajar?
Hola, ¿qué tal el día?
Muchísimas gracias, me has salvado
Estoy harta de que me digan que no en todos lados
El miércoles a las 11 tengo entrevista en Núñez & Bravo
Me llamó Begoña, quieren verme otra vez la semana que viene
Cambia el teléfono de Joaquín Uribe-Echevarría por el 600 000 118
puestos a los que pueda ir andando desde casa
Enséñame los trabajos que no sean presenciales
¿En cuál de mis puestos hay mejor ambiente?
¿Cuánta gente trabaja en Vigilancia 360 Sur?
¿Qué me pongo para una entrevista en un bufete?
¿19.000 al año está bien para una cocinera?
¿Hace falta el TIP para trabajar de vigilante de seguridad?
Muéstrame los puestos de abril y luego elimina los rechazados
no, te decía el otro
¿Estás seguro de ese número?
¿Te acuerdas de lo que hablamos cada día?
¿Cuántas candidaturas suele mandar la gente antes de encontrar algo?
trabajos sin turno de noche en Dos Hermanas
A mi amiga Rocío la rechazaron en el Hotel Mirador del Duero, ¿puede volver a intentarlo?
Todos mis contactos excepto los de Ferretería Ocampo
¿Por qué nunca me llaman después de la entrevista?
¿Me fue mejor este mes que el anterior?
Redacta un correo para Íñigo Sáenz de Miera dándole las gracias
¿A quién de mis contactos debería llamar primero?
Ayer avisé en el taller de que me voy
Me ofrecen 23.000, ¿cómo pido 26.000 sin quedar mal?
Recuérdame mañana llamar a la gestoría
Contacto nuevo: Lautaro Peñaloza, trabaja en Cumbre Digital
los dos primeros, porfa
¿Qué diferencia hay entre una secretaria y una administrativa?
puestos en empresas que den vales de comida
¿Cuántos días de vacaciones me corresponden por convenio?
¿Me conviene dejar la fontanería y sacarme el carné de gas?
Añade un puesto de cajero en Súper Olmedo de Cuenca
Pon la candidatura de Ferrovías 21 como rechazada
Escríbeme una carta de presentación para el puesto de Trujamán & Asociados
Borra el contacto de Chema Larrañaga
Hoy he tenido la entrevista en Clínica Los Olmos y creo que bien
¿y los de Sevilla?
Mi prima mandó ocho candidaturas la semana pasada, ¿son muchas?
Todos los puestos menos los de Madrid
¿Qué puestos tienen horario flexible?
¿En qué trabajos dan coche de empresa?
¿Paga mejor Aguas Monteverde que Calderas Urrutia?
Enséñame mis puestos en remoto y borra los rechazados
¿Cuántas candidaturas mandé en marzo y qué te parece?
¿Qué te he preguntado hace un momento?
¿Por qué solo me enseñas tres?
¿Me dan una hipoteca si estoy en periodo de prueba?
¿Qué visado necesito para trabajar de fisio en Chile?
¿Cuánto gana de media un administrador de redes en Bilbao?
¿Qué diferencia hay entre un intérprete y un traductor jurado?
Cambia el sueldo del puesto de Rehabilita Norte a 27.000
Buenos días, ¿qué tal estás?
Muchas gracias, eres un sol
Estoy harta de tantos rechazos
El jueves quedo con la jefa de Mercados La Espiga
Me llamaron de Nodo-9 Telecom y quieren verme otra vez
Recuérdame mañana escribir a Nahuel Ibarra
¿Cuántas candidaturas ha enviado Rocío este mes?
¿Cuál de mis puestos encaja mejor conmigo?
Puestos en Zaragoza sin turno de noche
Traduce mi carta de presentación al catalán
¿Qué preguntan en la entrevista para revisor de tren?
¿Está bien 24.000 para un economista recién salido de la facultad?
¿Qué puestos de fontanero no piden experiencia?
¿Cuántas plazas de fisioterapeuta salen al año en España?
¿Tengo más puestos en Vigo o en Gijón?
Ayer me presenté a Logística Hexa para el puesto de cajera
Prepárame un correo para Begoña de la Fuente preguntando por la fecha de incorporación
¿Desde cuándo existe Renfe?
¿Qué empresas llevan más de tres semanas sin contestarme?
Pasa todos los puestos guardados a solicitados
¿Te acuerdas de lo que te conté de mi espalda?
¿Cómo negocio si me ofrecen solo 22.000?
Me rechazaron la beca, ¿qué hago ahora?
¿Hay que contestar a un rechazo?
¿Qué trabajos me quedan a menos de veinte minutos de casa?
El lunes empiezo en Peñalver e Hijos
¿Me conviene aceptar el puesto en Pizarra & Cobre o espero un poco?
qué me pongo para una entrevista en un estudio de arquitectura
apunta un puesto de barista en Tostadero 21, Gijón, 18.000
Cambia el estado de Taller Norte 12 a rechazado
borra todos los trabajos de Murcia
Escríbeme una carta de presentación para la plaza de logopeda en Alcalá
mañana a las once tengo entrevista en Eventos Marejada
me acaban de llamar y paso a la segunda fase
¿y los de Bilbao?
¿A cuántos puestos se ha presentado mi hermano?
me han rechazado la hipoteca esta semana
¿Necesito visado para trabajar de cartero en Suiza?
¿Cuántos logopedas hay en España?
enséñame los empleos en remoto excepto los de asesor fiscal
¿Qué puestos incluyen coche de empresa?
trabajos con jornada intensiva en verano
¿Cuál paga mejor, el de Cafés Ñandú o el de Tostadero 21?
¿Es mejor la oferta de Málaga que la de Cádiz?
enséñame los puestos de Lugo y añade a Íñigo Garmendia como contacto
¿Cuántos rechazos tengo y cuál es el correo de Eulalia?
¿Qué te he preguntado antes?
por qué solo me has sacado dos
muchas gracias, me has salvado la vida
estoy hasta las narices de buscar trabajo, la verdad
¿Qué digo si me preguntan por qué dejé mi último trabajo?
mándale un correo a Joaquim para ver cómo va lo mío
Pon el teléfono de Rocío Benavides-Ibarra en 956 555 014
ayer me presenté en Urrutia e Hijos para techador
el jueves que viene he quedado con Montserrat para hablar de la asesoría
¿Cuánto gana un techador de media?
¿Qué diferencia hay entre un arquitecto y un aparejador?
¿Cuándo me contestan la solicitud de la beca?
puestos con buen ambiente
¿A cuáles de mis trabajos puedo ir en bici?
¿He enviado más candidaturas este mes que el pasado?
no, eso no es lo que te pedí
el primero, por favor
¿Puedes traducirme la carta al catalán?
¿Está bien pagado un puesto de coordinadora de eventos con 26.000?
cámbiale el nombre a la empresa Taller Norte 12
a mi prima le han hecho una oferta en una cafetería de Vigo
haz la carta un poco más corta, porfa
¿Qué puesto encaja mejor conmigo?
los puestos híbridos pero sin los que me rechazaron
¿Tengo derecho a paro si dejo el trabajo?
recuérdame el viernes de llamar a la clínica
¿Tú aceptarías el puesto de florista o esperarías a otro?
hola, cómo vas?
añade un puesto de gruista en Grúas Peñalver, en Sagunto, 28.000
pon el trabajo de Escuela Arpegio como rechazado
ayer eché tres solicitudes y ya no puedo más
¿y el tercero?
¿A cuántos puestos se postuló mi prima el mes pasado?
¿Me darán la hipoteca si estoy en periodo de prueba?
¿Cuánto cobra de media una psicóloga en Navarra?
¿Paga mejor Seguros Valdeorras o Aseguradora Mirasol?
cuántos puestos tengo guardados y cuál es el teléfono de Wilmer Ocampo?
Escríbeme una carta de presentación para el puesto de guía en Toledo
borra todos los puestos en los que me han rechazado
el lunes a las diez tengo entrevista en Clínica Los Almendros
¿Necesito visado para trabajar de guía turística en Andorra?
los puestos que no sean presenciales
trabajos de profesor de música sin clases los viernes por la tarde
¿por qué nunca me llaman después de la entrevista?
la semana pasada me denegaron el préstamo del coche
cambia el sueldo del puesto de Rutas del Altiplano a 19.500
¿Qué quiere decir exactamente híbrido?
quién ganó anoche el partido?
guárdame el correo nuevo de Itziar Goikoetxea: itziar@goiko.example
¿Cómo explico en la entrevista que me despidieron?
¿Qué puestos pagan más que el de Laboratorios Quintana-Rey?
¡Me han llamado de la floristería y empiezo el día uno!
no, ese no, el de antes
mi marido mandó veinte candidaturas en marzo y nada
enséñame los puestos de Algeciras y escribe un correo al primero
¿Qué empleos me quedan cerca del metro?
¿Qué carné hace falta para manejar una grúa torre?
recuérdame el viernes que llame a Remedios Carrascosa
¿entendiste lo que te dije del laboratorio?
¿Qué me pongo para una entrevista en una aseguradora?
mañana me voy a postular a un puesto en Bahía Blanca
buscame en internet vacantes de psicólogo en Rosario
¿A cuál de mis contactos debería escribirle primero?
¿Están mejor pagados los trabajos de Bilbao que los de Vitoria?
¿Queda feo insistir a los tres días?
todas las empresas excepto Floristería Azahar
retira mi candidatura de Centro Psicológico Alborada
me pongo fatal antes de las entrevistas, algún truco?
puestos con buen ambiente y jefes majos
qué pena, el puesto de Jerez ya está cubierto
hazlo más corto y menos serio, porfa
¿Crees que debería volver a escribir a Taller 23?
Añade un puesto de química en Químicas Larrañaga, 32.000 al año.
Esta mañana me han rechazado en Beltrán.
Enséñame todos los puestos menos los remotos.
¿Cuántas solicitudes mandó mi hermano la semana pasada?
qué puestos tienen coche de empresa?
¿Paga más La Tinta Azul que Molina & Cía?
¿Cuántos rechazos tengo y cuál es el teléfono de Nuria?
¿Qué te acabo de preguntar?
Borra todos los puestos rechazados.
Marca el puesto de Nave 8 como enviado.
Escríbeme una carta de presentación para el puesto de carretillero.
Estoy agotada de buscar trabajo.
¿Cuánto gana un asistente dental en México?
¿Cómo pido un préstamo para estudiar?
Me denegaron la visa el mes pasado
El banco me ha rechazado la hipoteca, ¿qué hago?
Mañana me postulo a tres puestos.
¿A cuántos puestos conviene postularse por semana?
¿Por qué me rechazaron en Ferrer-Quintana?
puestos a menos de veinte minutos de mi casa
Cambia el teléfono de Maribel Sotomayor por el 600 000 321
¿Quién dirige Transportes Peñalver?
¿Se vive bien en Torrelavega?
Tradúceme la carta al inglés
solo los híbridos esta vez
Dime cinco preguntas típicas de entrevista para un profesor
¿En qué puedo trabajar con la carrera de química?
Ayer tuve la segunda entrevista en Clínica Arrúe y fue bastante bien
Muéstrame los guardados y elimina el más antiguo
¿Me han rechazado más este mes que el pasado?
qué puestos ofrecen seguro médico
Recuérdame llamar a Gonzalo el jueves
¿Cuántas vacantes hay en España ahora mismo?
¿Entendiste lo que te dije antes?
¿Qué me escribió Iñaki en su último correo?
¿Está contratando ahora Químicas Larrañaga?
una amiga recibió tres ofertas en una semana, ¿cómo lo hace?
Todos los contactos excepto los de Peñalver
¿Cómo negocio el sueldo sin quedar mal?
los dos puestos de ayer fueron un error, quítalos
¿Cuánto dura el curso de carretillero?
Cuéntame un chiste, que vaya día llevo
¿qué significa exactamente un puesto híbrido?
puestos donde la entrevistadora me cayó bien
Explícame cómo se lee una nómina
¿Tú crees que debería aceptar lo de Barral & Hijos?
Añade un puesto de recepcionista en el Hotel Miramonte, 21.000 euros.
Esta mañana tuve la entrevista en Taller 19 y me fue bastante bien.
Enséñame todos los puestos menos los de Rosario.
Borra el puesto de Autocares Quiñones.
¿Cuántas solicitudes ha enviado mi prima este año?
¿Paga mejor Nexo 24 que Hidro-Norte?
Enséñame los puestos guardados y escribe una carta para el primero.
¿Cuánto gana de media un mecánico de autobuses en Chile?
hola, qué tal estás
¿Por qué me has dicho que tenía tres rechazos?
Me denegaron la hipoteca la semana pasada, ¿qué hago?
¿En qué puestos puedo llevar al perro?
Pon Clínica Los Almendros como rechazado.
La semana que viene voy a presentarme a tres puestos en Lugo.
¿Qué contesto si me preguntan por mis defectos?
¿Cuándo se presentó mi hermano a lo de Taller 19?
puestos con semana de cuatro días
¿Qué fue lo primero que te pregunté hoy?
Cambia el teléfono de Iratxe Goñi por el 600 123 984.
¿Me estoy presentando a suficientes puestos?
¿Cuántas solicitudes de visado he presentado?
todos los puestos que no sean en Madrid
los de ayer pero solo los buenos
¿Merece la pena estudiar higiene dental a los 43?
Recuérdame el jueves que llame a Juan Pablo.
¿Qué puestos tienen guardería y comedor?
Los de Finca El Tejar me acaban de decir que no, qué rabia.
Búscame en internet puestos nuevos de camarero en Cádiz.
Escríbele un correo de agradecimiento a María del Mar Etxeberria.
¿Por qué me rechazan siempre?
¿He guardado más puestos este mes que el anterior?
¿Has entendido mi última pregunta?
¿Y cuál queda más cerca de la estación?
A mi amigo le han hecho una oferta en Hidro-Norte, qué bien, ¿no?
Pasa el puesto de Nerja a entrevista y dime cuántos me quedan.
¿Queda mal volver a escribir al cabo de una semana?
¡Gracias, me has ayudado un montón!
Muéstrame los puestos donde el jefe parecía majo.
¿Qué papeles necesito para trabajar en Alemania?
Anoche en el autobús guardé dos puestos.
¿A cuántos puestos me he presentado y cuál es el correo de Nahuel?
todo excepto los puestos de los que me retiré
¿Cómo está ahora el mercado laboral para los ingenieros en Bilbao?
¿Qué sabes de la empresa Roldán, Vives & Asociados?
Si me dan el puesto de Teruel, ¿cuánto tardaría en llegar?
¿Cuánto me presta el banco si gano 1.900 al mes?
"""
