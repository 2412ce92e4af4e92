"""What German, Spanish and French speakers call jobs, contacts, companies and documents.

Words that mean two things of a tracker are left out, so that the model decides: "ofertas" and
"offres" are openings as well as offers, "Angebote" too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ...core.spec import EntityWords

_JOB_STATES: Final = ("saved", "applied", "interviewing", "rejected")

JOB_WORDS: Final[Mapping[str, EntityWords]] = {
    "german": EntityWords(
        singulars=("stelle", "job", "bewerbung", "position", "stellenanzeige", "stellenangebot"),
        plurals=(
            *("stellen", "jobs", "bewerbungen", "positionen", "stellenanzeigen"),
            *("stellenangebote", "stellenangeboten", "absagen", "zusagen"),
        ),
        fields={
            "company": ("firma", "bei", "bei der firma", "unternehmen", "arbeitgeber"),
            "title": ("titel", "bezeichnung"),
            "status": ("status", "stand", "phase"),
            "location": ("ort", "standort", "arbeitsort"),
            "salary_min": ("gehalt", "mindestgehalt", "bezahlung", "lohn"),
            "job_fit": ("passung",),
            "contact_name": ("ansprechpartner",),
            "url": ("link", "url"),
        },
        values={
            "status": {
                "saved": ("gespeichert", "gemerkt", "vorgemerkt"),
                "applied": ("beworben",),
                "interviewing": ("im vorstellungsgespräch", "im bewerbungsgespräch"),
                "offer": ("zusage", "zusagen"),
                "rejected": ("abgelehnt", "abgesagt", "absage", "absagen"),
            },
            "remote_type": {
                "remote": ("remote", "im homeoffice"),
                "hybrid": ("hybrid",),
                "onsite": ("vor ort", "im büro"),
            },
        },
        states=(*_JOB_STATES, "offer"),
    ),
    "spanish": EntityWords(
        singulars=("trabajo", "empleo", "puesto", "candidatura", "postulación", "vacante"),
        plurals=(
            *("trabajos", "empleos", "puestos", "candidaturas", "postulaciones", "vacantes"),
            "rechazos",
        ),
        fields={
            "company": ("empresa", "en la empresa", "en la compañía", "compañía"),
            "title": ("título",),
            "status": ("estado",),
            "location": ("ubicación", "ciudad", "ubicados en", "ubicadas en"),
            "salary_min": ("salario", "sueldo"),
            "contact_name": ("persona de contacto",),
            "url": ("enlace", "url"),
        },
        values={
            "status": {
                "saved": ("guardado",),
                "applied": ("aplicado", "postulado", "solicitado"),
                "interviewing": ("en entrevista", "en entrevistas", "en proceso de entrevista"),
                "rejected": ("rechazado", "descartado", "rechazos"),
            },
            "remote_type": {
                "remote": ("remoto", "en remoto", "a distancia"),
                "hybrid": ("híbrido",),
                "onsite": ("presencial",),
            },
        },
        states=_JOB_STATES,
    ),
    "french": EntityWords(
        singulars=("poste", "candidature", "emploi", "offre d'emploi"),
        plurals=("postes", "candidatures", "emplois", "offres d'emploi", "refus"),
        fields={
            "company": ("entreprise", "chez", "société", "dans l'entreprise"),
            "title": ("intitulé", "titre"),
            "status": ("statut",),
            "location": ("lieu", "ville", "basés à", "basées à", "situés à", "situées à"),
            "salary_min": ("salaire",),
            "contact_name": ("personne à contacter",),
            "url": ("lien", "url"),
        },
        values={
            "status": {
                "saved": ("enregistré", "sauvegardé"),
                "applied": ("postulé", "candidaté"),
                "interviewing": ("en entretien", "au stade de l'entretien"),
                "rejected": ("refusé", "rejeté", "refus"),
            },
            "remote_type": {
                "remote": ("en télétravail", "à distance"),
                "hybrid": ("hybride",),
                "onsite": ("sur site", "en présentiel"),
            },
        },
        states=_JOB_STATES,
    ),
}

CONTACT_WORDS: Final[Mapping[str, EntityWords]] = {
    "german": EntityWords(
        singulars=("kontakt",),
        plurals=("kontakte", "kontakten"),
        fields={
            "name": ("name",),
            "email": ("e-mail", "email", "mail", "e-mail-adresse"),
            "company": ("firma", "bei", "bei der firma", "unternehmen"),
        },
    ),
    "spanish": EntityWords(
        singulars=("contacto",),
        plurals=("contactos",),
        fields={
            "name": ("nombre",),
            "email": ("correo", "correo electrónico", "email"),
            "company": ("empresa", "en", "en la empresa", "compañía"),
        },
    ),
    "french": EntityWords(
        singulars=("contact",),
        plurals=("contacts",),
        fields={
            "name": ("nom",),
            "email": ("e-mail", "email", "mail", "adresse e-mail", "courriel"),
            "company": ("entreprise", "chez", "société"),
        },
    ),
}

COMPANY_WORDS: Final[Mapping[str, EntityWords]] = {
    "german": EntityWords(
        singulars=("firma", "unternehmen"),
        plurals=("firmen", "unternehmen"),
        fields={"name": ("name",), "url": ("webseite", "website", "url")},
    ),
    "spanish": EntityWords(
        singulars=("empresa", "compañía"),
        plurals=("empresas", "compañías"),
        fields={"name": ("nombre",), "url": ("sitio web", "página web", "url")},
    ),
    "french": EntityWords(
        singulars=("entreprise", "société"),
        plurals=("entreprises", "sociétés"),
        fields={"name": ("nom",), "url": ("site", "site web", "url")},
    ),
}

DOCUMENT_WORDS: Final[Mapping[str, EntityWords]] = {
    "german": EntityWords(
        singulars=("dokument", "anschreiben", "motivationsschreiben"),
        plurals=("dokumente", "dokumenten", "anschreiben", "motivationsschreiben"),
        fields={"title": ("titel",), "company": ("firma", "unternehmen")},
        values={"kind": {"cover_letter": ("anschreiben", "motivationsschreiben")}},
    ),
    "spanish": EntityWords(
        singulars=("documento", "carta de presentación"),
        plurals=("documentos", "cartas de presentación"),
        fields={"title": ("título",), "company": ("empresa", "compañía")},
        values={"kind": {"cover_letter": ("carta de presentación", "cartas de presentación")}},
    ),
    "french": EntityWords(
        singulars=("document", "lettre de motivation"),
        plurals=("documents", "lettres de motivation"),
        fields={"title": ("titre",), "company": ("entreprise", "société")},
        values={"kind": {"cover_letter": ("lettre de motivation", "lettres de motivation")}},
    ),
}
