import { fr } from '../language.ts';
import type { Family } from './entry.ts';

/** Errors of proxies and certificates. */
export const netErrors = {
  'SVC-NET-001': {
    class: 'failure',
    status: 502,
    params: { proxy: 'name', 'detail?': 'text' },
    what: [
      'The proxy {proxy} could not be used[: {detail}].',
      fr`Le mandataire {proxy} n’a pas pu être utilisé[ : {detail}].`,
    ],
    cause: [
      'It is down, its address is wrong, or it refuses the credentials or the destination.',
      fr`Il est arrêté, son adresse est fausse, ou il refuse les identifiants ou la destination.`,
    ],
    action: [
      'Check network.proxy.* and the log of the proxy. Destinations to be reached directly belong in network.proxy.noProxy.',
      fr`Vérifiez network.proxy.* et le journal du mandataire. Les destinations à joindre directement vont dans network.proxy.noProxy.`,
    ],
  },
  'SVC-NET-002': {
    class: 'failure',
    status: 500,
    params: { path: 'name', 'detail?': 'text' },
    what: [
      'The certificate authorities of {path} cannot be used[: {detail}].',
      fr`Les autorités de certification de {path} sont inutilisables[ : {detail}].`,
    ],
    cause: [
      'The file is missing, not readable for this user, or not a bundle of PEM certificates in plain ASCII.',
      fr`Le fichier manque, n’est pas lisible pour cet utilisateur, ou n’est pas une suite de certificats PEM en ASCII.`,
    ],
    action: [
      'Correct network.tls.caFiles, network.tls.ca, SSL_CERT_FILE or SSL_CERT_DIR. No connection is opened with fewer authorities than configured.',
      fr`Corrigez network.tls.caFiles, network.tls.ca, SSL_CERT_FILE ou SSL_CERT_DIR. Aucune connexion n’est ouverte avec moins d’autorités que configuré.`,
    ],
  },
  'SVC-NET-003': {
    class: 'failure',
    status: 500,
    params: { path: 'name', 'detail?': 'text' },
    what: [
      'The certificate of the listener cannot be used: {path}[ ({detail})].',
      fr`Le certificat d’écoute est inutilisable : {path}[ ({detail})].`,
    ],
    cause: [
      'A file is missing or not readable, is not PEM, or the key does not belong to the certificate.',
      fr`Un fichier manque ou n’est pas lisible, n’est pas du PEM, ou la clé ne correspond pas au certificat.`,
    ],
    action: [
      'Correct server.tls.certFile and server.tls.keyFile, or remove both to serve a self-signed certificate.',
      fr`Corrigez server.tls.certFile et server.tls.keyFile, ou retirez les deux pour servir un certificat auto-signé.`,
    ],
  },
  'SVC-NET-004': {
    class: 'failure',
    status: 422,
    params: { 'detail?': 'text' },
    what: [
      'The new certificate was refused and the old one stays in use[: {detail}].',
      fr`Le nouveau certificat a été refusé et l’ancien reste en service[ : {detail}].`,
    ],
    cause: [
      'Certificate and key do not belong together, are not PEM, or the certificate is not valid today.',
      fr`Le certificat et la clé ne vont pas ensemble, ne sont pas du PEM, ou le certificat n’est pas valable aujourd’hui.`,
    ],
    action: [
      'Send the full chain as certificate and its own unencrypted private key, both in PEM.',
      fr`Envoyez la chaîne complète et sa propre clé privée non chiffrée, toutes deux en PEM.`,
    ],
  },
} as const satisfies Family;
