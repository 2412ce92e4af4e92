"""What French speakers say to a job tracker, labelled by hand; the form of `utterances`."""

from __future__ import annotations

FAST = """
Combien de candidatures ai-je ? => count jobs
combien de candidatures j'ai => count jobs
Combien d'offres d'emploi ai-je enregistrées ? => count jobs status=saved
Combien de postes ai-je enregistrés ? => count jobs status=saved
À combien de postes ai-je postulé ? => count jobs status>=applied
a combien d'offres d'emploi ai-je postulé => count jobs status>=applied
Combien de candidatures est-ce que j'ai en tout ? => count jobs
Combien de mes candidatures ont été refusées ? => count jobs status=rejected
Combien de candidatures refusées ai-je ? => count jobs status=rejected
Combien de mes postes sont hybrides ? => count jobs remote_type=hybrid
Combien de postes en télétravail ai-je enregistrés ? => count jobs remote_type=remote status=saved
Combien de refus ai-je ? => count jobs status=rejected
Combien de refus ai-je reçus ? => count jobs status=rejected
Combien de candidatures ai-je chez Google ? => count jobs company~Google
Combien de contacts ai-je ? => count contacts
Combien de contacts ai-je chez L’Oréal ? => count contacts company~L'Oréal
Combien d’entreprises ai-je dans ma liste ? => count companies
Combien de lettres de motivation ai-je ? => count documents kind=cover_letter
Combien de documents ai-je actuellement ? => count documents
Bonjour, combien de candidatures ai-je ? => count jobs
Dis-moi combien de candidatures j'ai => count jobs
Peux-tu me dire combien de contacts j'ai ? => count contacts
Quel est le nombre de mes candidatures ? => count jobs
Compte mes candidatures => count jobs
Est-ce que j'ai des candidatures refusées ? => count jobs status=rejected
Ai-je des contacts chez Stripe ? => count contacts company~Stripe
Montre-moi mes candidatures => list jobs
montre moi mes candidatures => list jobs
Montre-moi toutes mes candidatures s'il te plaît => list jobs
Montre-moi mes postes enregistrés => list jobs status=saved
Montre-moi les offres d'emploi que j'ai enregistrées => list jobs status=saved
Montre-moi les postes auxquels j'ai postulé => list jobs status>=applied
Affiche mes candidatures refusées => list jobs status=rejected
Affiche mes postes en télétravail => list jobs remote_type=remote
Liste mes candidatures => list jobs
Liste tous mes contacts => list contacts
Liste-moi mes entreprises => list companies
Je voudrais voir mes postes enregistrés => list jobs status=saved
Peux-tu me montrer mes candidatures ? => list jobs
Donne-moi la liste de mes candidatures => list jobs
Quelles candidatures ai-je ? => list jobs
Quels postes ai-je enregistrés ? => list jobs status=saved
Quels sont les postes que j'ai enregistrés ? => list jobs status=saved
À quels postes ai-je postulé ? => list jobs status>=applied
Quels contacts ai-je chez Apple ? => list contacts company~Apple
Quels sont mes postes enregistrés ? => list jobs status=saved
Qui sont mes contacts ? => list contacts
Montre-moi mes 5 dernières candidatures => list jobs by created_at desc limit 5
Montre-moi mes cinq dernières candidatures => list jobs by created_at desc limit 5
Montre-moi mes candidatures les plus récentes => list jobs by created_at desc
Montre-moi mes postes triés par salaire => list jobs by salary_min desc
Montre-moi mes postes avec un salaire supérieur à 50 000 euros => list jobs salary_min>=50001
Montre-moi mes postes avec un salaire d'au moins 40000 => list jobs salary_min>=40000
Montre-moi mes candidatures chez Google => list jobs company~Google
Montre-moi la candidature chez Microsoft => lookup jobs company~Microsoft
Ouvre la candidature Google => lookup jobs *~Google
Ouvre le poste 3 => lookup jobs #=3
Montre-moi la candidature numéro 12 => lookup jobs #=12
Quel est le statut de ma candidature chez Google ? => lookup jobs company~Google
Quel est le statut du poste 3 ? => lookup jobs #=3
Qui est mon contact chez Stripe ? => lookup contacts company~Stripe
Trouve le contact nommé « Anne Roux » => lookup contacts *~Anne Roux
Ouvre le document 9 => lookup documents #=9
Combien d'emplois ai-je sauvegardés ? => count jobs status=saved
Quels postes ont été refusés ? => list jobs status=rejected
Montre-moi tous mes refus => list jobs status=rejected
Affiche mes postes sur site => list jobs remote_type=onsite
Ouvre le poste #7 => lookup jobs #=7
Donne-moi mes contacts => list contacts
J'aimerais voir mes lettres de motivation => list documents kind=cover_letter
Quel est l'e-mail de mon contact chez Bosch ? => lookup contacts company~Bosch
Montre-moi la lettre de motivation de Google => lookup documents kind=cover_letter *~Google
Quelles sont mes entreprises ? => list companies
Énumère mes postes enregistrés => list jobs status=saved
Quels sont mes refus ? => list jobs status=rejected
Mes candidatures => list jobs
À combien de postes ai-je postulé cette semaine ? => count jobs status>=applied status@this_week
Combien de postes ai-je enregistrés hier ? => count jobs status>=saved status@yesterday
Combien de candidatures ai-je envoyées en mars ? => count jobs status>=applied status@march
Montre-moi mes candidatures à Paris => list jobs location~Paris
Quand ai-je postulé chez Google ? => lookup jobs *~Google
Liste les postes à Paris => list jobs location~Paris
Liste les postes chez Google => list jobs company~Google
Combien de refus ai-je reçus cette semaine ? => count jobs status=rejected status@this_week
"""

NOT_FAST = """
Poste 3
À combien de postes n'ai-je pas postulé ?
Combien de candidatures et de contacts ai-je ?
À combien de postes devrais-je postuler ?
Combien d'offres d'emploi y a-t-il à Paris ?
Combien de candidats a le poste chez Google ?
Combien d'années d'expérience ai-je ?
Combien sont en télétravail ?
Montre-moi des postes
Montre-moi des postes à Paris
Montre-moi de nouveaux postes
Montre-moi des postes en télétravail à Lyon
Montre-moi les meilleurs postes
Montre-moi mes meilleurs postes
Montre-moi mes candidatures et supprime celles refusées
Montre-moi mes postes qui ne sont pas hybrides
Montre-moi mes postes sans salaire
Montre-moi mes candidatures chez Google ou Meta
Montre-moi mes candidatures sauf celles chez Google
Montre-moi mes postes hybrides ou en télétravail
Montre-moi mes candidatures chez des startups
Montre-moi plus
Montre-les-moi
Montre-moi la nouvelle candidature
Montre-moi le poste idéal
Montre-moi mon poste actuel
Montre-moi mon dernier poste
Montre-moi la première
Montre-moi la description du poste chez Google
Montre-moi mon profil
Montre-moi mon CV
Montre-moi comment postuler à un poste
Quel poste me convient le mieux ?
Quels postes me correspondent ?
À quels postes devrais-je postuler ?
Quelles entreprises recrutent ?
De quels documents ai-je besoin pour la candidature chez Google ?
Pourquoi Google m'a-t-il refusé ?
Pourquoi ai-je autant de refus ?
Comment écrire une lettre de motivation ?
Quelle longueur doit faire une lettre de motivation ?
Comment obtenir plus d'entretiens ?
Écris une lettre de motivation pour le poste chez Google
Enregistre le poste chez Google
Ajoute un poste chez Google
Supprime le poste 3
Passe le poste 3 à postulé
Ai-je mes chances chez Google ?
Ai-je le temps pour d'autres candidatures ?
Ai-je postulé chez Google ?
J'ai trois postes enregistrés
J'ai postulé au poste chez Google
Cherche des postes à Paris
Cherche des postes de développeur
Trouve-moi un poste
Trouve le poste parfait
Ouvre le poste
Ouvre-le
Qu'est-ce qu'une candidature ?
Quels sont les meilleurs postes ?
Quel est le statut ?
Liste mes points forts
Liste dix conseils pour les entretiens
Si j'ai des refus, montre-les-moi
Et celles en télétravail ?
Traduis « montre-moi mes candidatures » en anglais
Bonjour
Merci
candidatures
combien
Combien d'emplois ai-je eus ?
Combien de candidatures ai-je reçues ?
Combien d'entreprises m'ont refusé ?
Quelles entreprises m'ont refusé ?
Quel est le salaire d'un développeur ?
Quel est mon salaire ?
Montre-moi les postes chez Google
Je veux voir des postes en télétravail
Je veux changer de poste
Je veux améliorer mes candidatures
Montre-moi mes candidatures d'hier
Montre-moi mes candidatures depuis lundi
Combien de postes ai-je vus ?
Quel poste ai-je enregistré en dernier ?
Y a-t-il des postes chez Google ?
Donne-moi des conseils pour mes candidatures
Montre-moi mes postes mais seulement les hybrides
Ouvre une candidature chez Google
Trouve combien de candidatures j'ai
Montre-moi le poste de mes rêves
Montre-moi mes contacts chez des amis
Dois-je postuler à plus de postes ?
Compte sur moi
"""
