"""What Spanish speakers say to a job tracker, labelled by hand; the form of `utterances`."""

from __future__ import annotations

FAST = """
¿Cuántos trabajos tengo? => count jobs
cuantos trabajos tengo => count jobs
¿Cuántos trabajos tengo guardados? => count jobs status=saved
¿Cuántos trabajos he guardado? => count jobs status=saved
¿A cuántos trabajos he aplicado? => count jobs status>=applied
¿A cuántos puestos me he postulado? => count jobs status>=applied
a cuantos empleos he aplicado => count jobs status>=applied
¿Cuántas candidaturas tengo en total? => count jobs
¿Cuántas de mis candidaturas fueron rechazadas? => count jobs status=rejected
¿Cuántas candidaturas rechazadas tengo? => count jobs status=rejected
¿Cuántos de mis trabajos son remotos? => count jobs remote_type=remote
¿Cuántos trabajos remotos he guardado? => count jobs remote_type=remote status=saved
¿Cuántos contactos tengo? => count contacts
¿Cuántos contactos tengo en Stripe? => count contacts company~Stripe
¿Cuántas empresas tengo en mi lista? => count companies
¿Cuántas cartas de presentación tengo? => count documents kind=cover_letter
¿Cuántos documentos tengo ahora? => count documents
Hola, ¿cuántos trabajos tengo guardados? => count jobs status=saved
Dime cuántos trabajos tengo => count jobs
¿Puedes decirme cuántos contactos tengo? => count contacts
¿Cuál es el número de candidaturas que tengo? => count jobs
Cuenta mis trabajos guardados => count jobs status=saved
¿Tengo candidaturas rechazadas? => count jobs status=rejected
¿Tengo algún contacto en Google? => count contacts company~Google
Muéstrame mis trabajos => list jobs
muestrame mis trabajos => list jobs
Muéstrame todos mis trabajos, por favor => list jobs
Muéstrame mis trabajos guardados => list jobs status=saved
Muéstrame los trabajos que he guardado => list jobs status=saved
Muéstrame los trabajos a los que he aplicado => list jobs status>=applied
Muestra mis candidaturas rechazadas => list jobs status=rejected
Enséñame mis empleos remotos => list jobs remote_type=remote
Lista mis trabajos => list jobs
Lista todos mis contactos => list contacts
Lístame mis empresas => list companies
Quiero ver mis trabajos guardados => list jobs status=saved
¿Puedes mostrarme mis candidaturas? => list jobs
Dame una lista de mis trabajos => list jobs
¿Qué trabajos tengo? => list jobs
¿Qué trabajos tengo guardados? => list jobs status=saved
¿Qué trabajos he guardado? => list jobs status=saved
¿A qué trabajos he aplicado? => list jobs status>=applied
¿A qué puestos me he postulado? => list jobs status>=applied
¿Cuáles de mis trabajos son híbridos? => list jobs remote_type=hybrid
¿Qué contactos tengo en Apple? => list contacts company~Apple
¿Cuáles son mis trabajos guardados? => list jobs status=saved
¿Quiénes son mis contactos? => list contacts
Muéstrame mis últimas cinco candidaturas => list jobs by created_at desc limit 5
Muéstrame mis trabajos más recientes => list jobs by created_at desc
Muéstrame mis trabajos ordenados por salario => list jobs by salary_min desc
Muéstrame mis trabajos con un salario superior a 50.000 euros => list jobs salary_min>=50001
Muéstrame mis trabajos con salario de al menos 40000 => list jobs salary_min>=40000
Muéstrame la candidatura de Microsoft => lookup jobs *~Microsoft
Abre la candidatura de Google => lookup jobs *~Google
Abre el trabajo 3 => lookup jobs #=3
Muéstrame el trabajo número 12 => lookup jobs #=12
¿Cuál es el estado de mi candidatura de Google? => lookup jobs *~Google
¿Cuál es el estado del trabajo 3? => lookup jobs #=3
¿Quién es mi contacto en Stripe? => lookup contacts company~Stripe
Busca el contacto llamado «Ana Ruiz» => lookup contacts *~Ana Ruiz
Abre el documento 9 => lookup documents #=9
¿Cuántas vacantes tengo guardadas? => count jobs status=saved
¿Qué trabajos fueron rechazados? => list jobs status=rejected
Muéstrame todos mis rechazos => list jobs status=rejected
¿Cuántos rechazos he recibido? => count jobs status=rejected
Muéstrame mis empleos presenciales => list jobs remote_type=onsite
Abre el trabajo #7 => lookup jobs #=7
Dame mis contactos => list contacts
Me gustaría ver mis cartas de presentación => list documents kind=cover_letter
¿Cuál es el correo de mi contacto en Bosch? => lookup contacts company~Bosch
Muéstrame la carta de presentación de Google => lookup documents kind=cover_letter *~Google
¿Cuáles son mis empresas? => list companies
enumera mis puestos guardados => list jobs status=saved
Mis trabajos => list jobs
¿A cuántos trabajos he aplicado esta semana? => count jobs status>=applied status@this_week
¿Cuántos trabajos guardé ayer? => count jobs status>=saved status@yesterday
¿Cuántas candidaturas envié en marzo? => count jobs status>=applied status@march
¿Cuándo apliqué a Google? => lookup jobs *~Google
¿Cuántos rechazos he recibido esta semana? => count jobs status=rejected status@this_week
"""

NOT_FAST = """
Trabajo 3
¿A cuántos trabajos no he aplicado?
¿Cuántos trabajos y contactos tengo?
¿A cuántos trabajos debería aplicar?
¿Cuántos trabajos hay en Madrid?
¿Cuántos candidatos tiene el puesto de Google?
¿Cuántos años de experiencia tengo?
¿Cuántos de ellos son remotos?
Muéstrame trabajos
Muéstrame trabajos en Madrid
Muéstrame nuevos trabajos
Muéstrame trabajos remotos en Barcelona
Muéstrame los mejores trabajos
Muéstrame mis mejores trabajos
Muéstrame mis trabajos y borra los rechazados
Muéstrame mis trabajos que no son remotos
Muéstrame mis trabajos sin salario
Muéstrame mis trabajos en Google o Meta
Muéstrame mis trabajos en Madrid
Muéstrame mis trabajos salvo los de Google
Muéstrame mis trabajos remotos o híbridos
Muéstrame mis trabajos en startups
Muéstrame más
Muéstralos
Muéstrame la nueva candidatura
Muéstrame el trabajo ideal
Muéstrame mi trabajo actual
Muéstrame mi último trabajo
Muéstrame el primero
Muéstrame la descripción del puesto de Google
Muéstrame mi perfil
Muéstrame mi currículum
Muéstrame cómo aplicar a un trabajo
¿Qué trabajo me conviene más?
¿Qué trabajos encajan conmigo?
¿A qué trabajos debería aplicar?
¿A qué trabajo aplico primero?
¿Qué empresas están contratando?
¿Qué documentos necesito para la candidatura de Google?
¿Por qué me rechazó Google?
¿Por qué tengo tantas candidaturas rechazadas?
¿Cómo escribo una carta de presentación?
¿Qué longitud debe tener una carta de presentación?
¿Cómo consigo más entrevistas?
Escribe una carta de presentación para el puesto de Google
Guarda el trabajo de Google
Añade un trabajo en Google
Borra el trabajo 3
Mueve el trabajo 3 a aplicado
¿Tengo posibilidades en Google?
¿Tengo tiempo para más trabajos?
¿He aplicado a Google?
Tengo tres trabajos guardados
He aplicado al trabajo de Google
Busca trabajos en Madrid
Busca trabajos de programador
Busca un trabajo para mí
Encuentra el trabajo perfecto
Abre el trabajo
Ábrelo
¿Qué es una candidatura?
¿Cuáles son los mejores trabajos?
¿Cuál es el estado?
Lista mis puntos fuertes
Lista trabajos en Madrid
Lista diez consejos para entrevistas
Si tengo rechazos, muéstralos
¿Y los remotos?
Traduce «muéstrame mis trabajos» al inglés
Hola
Gracias
trabajos
cuántos
¿Cuántos empleos he tenido?
¿Qué trabajos tengo que hacer hoy?
¿Cuántas empresas me han rechazado?
¿Qué empresas me rechazaron?
¿Cuál es el salario de un programador?
¿Cuál es mi salario?
Muéstrame los trabajos de Google
Lista trabajos de Google
Quiero ver trabajos remotos
Quiero cambiar de trabajo
Quiero mejorar mis candidaturas
Muéstrame mis trabajos de ayer
Muéstrame mis trabajos desde el lunes
¿Cuántos trabajos he visto?
¿Qué trabajo guardé el último?
¿Hay trabajos en Google?
Dame consejos para mis candidaturas
Muéstrame mis trabajos pero solo los híbridos
Abre una candidatura de Google
Averigua cuántos trabajos tengo
Muéstrame el trabajo de mis sueños
Muéstrame mis contactos en startups
¿Tengo que aplicar a más trabajos?
Cuenta conmigo
"""
