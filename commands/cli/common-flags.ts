import { fr, type Sentence } from '../../src/text/language.ts';
import type { Values } from './command-definition.ts';

/** The flags that every command has. */
export const commonFlags = {
  '--config': {
    help: [
      'YAML configuration file (default $SVC_CONFIG, else /etc/svc/config.yaml if it exists)',
      fr`fichier de configuration YAML (par défaut $SVC_CONFIG, sinon /etc/svc/config.yaml s’il existe)`,
    ],
    values: 'file',
  },
  '--mode': {
    help: [
      'passthrough promotes on an interval; mirror fills a store on request',
      fr`passthrough promeut à intervalle régulier ; mirror remplit un stockage à la demande`,
    ],
    values: ['passthrough', 'mirror'],
  },
  '--storage-root': { help: ['store folder', fr`dossier du stockage`], values: 'folder' },
  '--state-root': { help: ['state folder', fr`dossier d’état`], values: 'folder' },
  '--server-addr': { help: ['listen address (:8080)', fr`adresse d’écoute (:8080)`], values: 'address' },
  '--log-level': {
    help: [
      'minimum log level (serve: info, others: warn)',
      fr`niveau minimal du journal (serve : info, autres : warn)`,
    ],
    values: ['debug', 'info', 'warn', 'error'],
  },
  '--shutdown-grace-period': {
    help: [
      'time for open requests to finish at shutdown (30s)',
      fr`délai laissé aux requêtes en cours à l’arrêt (30s)`,
    ],
    values: 'duration',
  },
  '--proxy-url': {
    help: [
      'URL of the forward proxy, without user name and password',
      fr`URL du mandataire de sortie, sans nom d’utilisateur ni mot de passe`,
    ],
    values: 'url',
  },
  '--tls-cert-file': {
    help: [
      'PEM certificate of the listener, with --tls-key-file',
      fr`certificat PEM de l’écoute, avec --tls-key-file`,
    ],
    values: 'file',
  },
  '--tls-key-file': {
    help: ['PEM key of the certificate', fr`clé PEM du certificat`],
    values: 'file',
  },
  '--output': { help: ['format of the report', fr`format du rapport`], values: 'value' },
} as const satisfies Readonly<Record<string, { readonly help: Sentence; readonly values: Values }>>;

/** Whether a flag has the same name and description in every command. */
export function isCommonFlag(name: string, help: Sentence): boolean {
  const common: Readonly<Record<string, { readonly help: Sentence }>> = commonFlags;
  return common[name]?.help === help;
}
