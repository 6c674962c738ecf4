/** French descriptions of the flags that every command has. */
export const commonFlagsFr: Readonly<Record<string, string>> = {
  '--config':
    'fichier de configuration YAML (par défaut $SVC_CONFIG, sinon /etc/svc/config.yaml s’il existe)',
  '--mode': 'passthrough promeut à intervalle régulier ; mirror remplit un magasin à la demande',
  '--storage-root': 'dossier du magasin',
  '--state-root': 'dossier d’état',
  '--server-addr': 'adresse d’écoute (:8080)',
  '--log-level': 'niveau minimal du journal (serve : info, autres : warn)',
  '--shutdown-grace-period': 'délai laissé aux requêtes en cours à l’arrêt (30s)',
  '--proxy-url': 'URL du mandataire de sortie, sans nom d’utilisateur ni mot de passe',
  '--tls-cert-file': 'certificat PEM de l’écoute, avec --tls-key-file',
  '--tls-key-file': 'clé PEM du certificat',
  '--output': 'format du rapport',
};
