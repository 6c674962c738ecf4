import { fr } from '../language.ts';

/** The page `/api-docs`. */
export const apiDocs = {
  title: ['API', fr`API`],
  lead: [
    'Every route of the REST API of this instance. Changes need a name and password or a token; reading also works with the session of this browser.',
    fr`Toutes les routes de l’API REST de cette instance. Les modifications exigent un nom et un mot de passe ou un jeton ; la lecture fonctionne aussi avec la session de ce navigateur.`,
  ],
  documents: ['Documents', fr`Documents`],
  openapi: ['OpenAPI 3.1 document', fr`Document OpenAPI 3.1`],
  schema: ['JSON Schema of the output of commands', fr`Schéma JSON de la sortie des commandes`],
  routes: ['Routes', fr`Routes`],
  route: ['Route', fr`Route`],
  role: ['Role', fr`Rôle`],
  floor: ['from {role}', fr`à partir de {role}`],
  parameters: ['Query parameters', fr`Paramètres de requête`],
  parameter: ['Parameter', fr`Paramètre`],
  type: ['Type', fr`Type`],
  description: ['Description', fr`Description`],
  body: ['Request body', fr`Corps de la requête`],
  answer: ['Answer', fr`Réponse`],
  answers: ['Answers', fr`Réponses`],
  status: ['Status', fr`Statut`],
  meaning: ['Meaning', fr`Signification`],
  codes: ['Error codes', fr`Codes d’erreur`],
  example: ['Example', fr`Exemple`],
  exampleBody: ['Example of a body', fr`Exemple de corps`],
  exampleAnswer: ['Example of an answer', fr`Exemple de réponse`],
  schemas: ['Schemas', fr`Schémas`],
  open: ['Open the answer', fr`Ouvrir la réponse`],
  english: [
    'Descriptions are in English, as in the OpenAPI document.',
    fr`Les descriptions sont en anglais, comme dans le document OpenAPI.`,
  ],
} as const;
