import { fr } from '../language.ts';

/** The page `/about`. */
export const about = {
  title: ['About', fr`À propos`],
  instance: ['Instance', fr`Instance`],
  version: ['Version', fr`Version`],
  commit: ['Commit', fr`Commit`],
  built: ['Built', fr`Construite`],
  runtime: ['Runtime', fr`Environnement d’exécution`],
  mode: ['Mode', fr`Mode`],
  zone: ['Zone', fr`Zone`],
  mediaId: ['Identifier of the store', fr`Identifiant du stockage`],
  limits: ['Limits', fr`Limites`],
  requestBody: ['Request of the API', fr`Requête de l’API`],
  manifest: ['Manifest', fr`Manifeste`],
  atMost: ['{size:size} at most', fr`{size:size} au plus`],
  pageSize: ['Entries on a page', fr`Entrées par page`],
  certificate: ['Certificate', fr`Certificat`],
  certificateLead: [
    'Clients that do not know its issuer need this file to trust the instance. Compare the fingerprint over another channel.',
    fr`Les clients qui ne connaissent pas son émetteur ont besoin de ce fichier pour faire confiance à l’instance. Comparez l’empreinte par un autre moyen.`,
  ],
  subject: ['Subject', fr`Sujet`],
  names: ['Names', fr`Noms`],
  expires: ['Valid until', fr`Valable jusqu’au`],
  fingerprint: ['Fingerprint (SHA-256)', fr`Empreinte (SHA-256)`],
  download: ['Certificate as PEM', fr`Certificat au format PEM`],
  plain: [
    'The listener speaks HTTP: there is no certificate.',
    fr`L’écoute se fait en HTTP : il n’y a pas de certificat.`,
  ],
} as const;
