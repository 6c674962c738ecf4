/** The page `/api-docs`. */
export const apiDocs = {
  title: ['API', 'API'],
  lead: [
    'Every route of the REST API of this instance. Changes need a name and password or a token; reading also works with the session of this browser.',
    'Toutes les routes de l’API REST de cette instance. Les modifications exigent un nom et un mot de passe ou un jeton ; la lecture fonctionne aussi avec la session de ce navigateur.',
  ],
  documents: ['Documents', 'Documents'],
  openapi: ['OpenAPI 3.1 document', 'Document OpenAPI 3.1'],
  schema: ['JSON Schema of the output of commands', 'Schéma JSON de la sortie des commandes'],
  floor: ['from {role}', 'à partir de {role}'],
  parameters: ['Query parameters', 'Paramètres de requête'],
  parameter: ['Parameter', 'Paramètre'],
  type: ['Type', 'Type'],
  description: ['Description', 'Description'],
  body: ['Request body', 'Corps de la requête'],
  answer: ['Answer', 'Réponse'],
  schemas: ['Schemas', 'Schémas'],
  open: ['Open the answer', 'Ouvrir la réponse'],
  english: [
    'Descriptions are in English, as in the OpenAPI document.',
    'Les descriptions sont en anglais, comme dans le document OpenAPI.',
  ],
} as const;
