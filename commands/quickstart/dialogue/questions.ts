import { fr, type Language, speak } from '../../../src/text/language.ts';
import type { Question } from './question.ts';

/** Returns the questions of quickstart in a language, by setting. */
export function createQuestions(language: Language): Readonly<Record<string, Question>> {
  const text = speak(language);
  return {
    for: {
      key: 'for',
      label: text('Use', fr`Usage`),
      hint: text('Use the arrow keys.', fr`Utilisez les flèches.`),
      initial: 'source',
      choices: [
        {
          value: 'source',
          name: text('source', fr`source`),
          text: text('fills a medium from the network', fr`remplit un support depuis le réseau`),
        },
        {
          value: 'medium',
          name: text('medium', fr`support`),
          text: text('verifies and imports a carried disk', fr`vérifie et importe un disque`),
        },
        {
          value: 'passthrough',
          name: text('passthrough', fr`relais`),
          text: text('feeds a registry on an interval', fr`alimente un registre`),
        },
      ],
    },
    'retriever.source': {
      key: 'retriever.source',
      label: 'Retriever',
      hint: text(
        'File, https:// URL or oci:// reference that lists the recipes. A source without one leaves it empty.',
        fr`Fichier, URL https:// ou référence oci:// qui liste les recettes. Une source sans Retriever laisse vide.`,
      ),
      initial: '',
    },
    zone: {
      key: 'zone',
      label: 'Zone',
      hint: text('Name of the zone that receives the medium.', fr`Nom de la zone qui reçoit le support.`),
      initial: '',
    },
    cookbook: {
      key: 'cookbook',
      label: text('Cookbook', fr`Livre`),
      hint: text(
        'Where recipes are published: <registry>/<path>.',
        fr`Où les recettes sont publiées : <registre>/<chemin>.`,
      ),
      initial: '',
    },
    recipe: {
      key: 'recipe',
      label: text('Recipe', fr`Recette`),
      hint: text(
        'Name of a recipe. Add others to the Retriever later.',
        fr`Nom d’une recette. Ajoutez les autres au Retriever ensuite.`,
      ),
      initial: '',
    },
    'destination.registry': {
      key: 'destination.registry',
      label: 'Destination',
      hint: text(
        'Registry of the zone that receives the content: <host>[:<port>].',
        fr`Registre de la zone qui reçoit le contenu : <hôte>[:<port>].`,
      ),
      initial: '',
    },
    'trust.key': {
      key: 'trust.key',
      label: text('Trust key', fr`Clé publique`),
      hint: text(
        'PEM file with the public key of the signer, such as release.pub.',
        fr`Fichier PEM de la clé publique du signataire, par exemple release.pub.`,
      ),
      initial: '',
    },
    'registries.credentialsFile': {
      key: 'registries.credentialsFile',
      label: text('Logins', fr`Identifiants`),
      hint: text(
        'File that docker login writes, for registries that need it. Empty: none.',
        fr`Fichier écrit par docker login, si un registre l’exige. Vide : aucun.`,
      ),
      initial: '',
    },
    'server.addr': {
      key: 'server.addr',
      label: text('Address', fr`Adresse`),
      hint: text(
        '127.0.0.1:8080 is not free. <host>:<port> that the instance listens on.',
        fr`127.0.0.1:8080 n’est pas libre. <hôte>:<port> d’écoute de l’instance.`,
      ),
      initial: '127.0.0.1:8081',
    },
    'storage.root': {
      key: 'storage.root',
      label: text('Store folder', fr`Stockage`),
      hint: text(
        'Holds all content; created if missing.',
        fr`Dossier de tout le contenu ; créé s’il n’existe pas.`,
      ),
      initial: './storage',
    },
    'state.root': {
      key: 'state.root',
      label: text('State folder', fr`État`),
      hint: text(
        'Holds accounts, tasks and import records; not carried on a medium.',
        fr`Dossier des comptes, des tâches et des imports enregistrés ; n’est pas transporté.`,
      ),
      initial: './state',
    },
    admin: {
      key: 'admin',
      label: text('Administrator', fr`Administrateur`),
      hint: text(
        'Name of the first account. The password is asked for at the end.',
        fr`Nom du premier compte. Le mot de passe est demandé à la fin.`,
      ),
      initial: 'admin',
    },
    serve: {
      key: 'serve',
      label: text('Start it now?', fr`Démarrer ?`),
      hint: '',
      initial: 'yes',
      choices: [
        {
          value: 'yes',
          name: text('yes', fr`oui`),
          text: text('run on this terminal until Ctrl-C', fr`s’exécute sur ce terminal jusqu’à Ctrl-C`),
        },
        {
          value: 'no',
          name: text('no', fr`non`),
          text: text('only write the configuration', fr`écrit seulement la configuration`),
        },
      ],
    },
  };
}

/** Returns the question whether the key that was named is the right one. */
export function askFingerprint(fingerprint: string, language: Language): Question {
  const text = speak(language);
  return {
    key: 'fingerprint',
    label: text('Is it the key?', fr`Bonne clé ?`),
    hint: text(
      'Compare the fingerprint with what the signer publishes by another way.',
      fr`Comparez l’empreinte avec ce que le signataire publie par une autre voie.`,
    ),
    shown: fingerprint,
    initial: 'yes',
    choices: [
      {
        value: 'yes',
        name: text('yes', fr`oui`),
        text: text('accept its signatures', fr`accepter ses signatures`),
      },
      {
        value: 'no',
        name: text('no', fr`non`),
        text: text('name another file', fr`nommer un autre fichier`),
      },
    ],
  };
}

/**
 * Returns the question which of the registries that were named are reached over plain HTTP. The answer is their hosts,
 * separated by commas; empty: none.
 *
 * @param hosts at least one, each once
 */
export function askInsecure(hosts: readonly string[], language: Language): Question {
  const text = speak(language);
  const [first, ...others] = hosts;
  const no = {
    value: '',
    name: text('no', fr`non`),
    text: text('over HTTPS, as usual', fr`en HTTPS, comme d’ordinaire`),
  };
  const plain = text('over plain HTTP', fr`en HTTP simple`);
  const all = text('both', fr`les deux`);
  const label = text('Plain HTTP?', fr`HTTP simple ?`);
  if (others.length === 0)
    return {
      key: 'registries.insecure',
      label,
      hint: text(
        `Is ${first} reached over plain HTTP (no TLS)?`,
        fr`${first!} est-il joint en HTTP simple (sans TLS) ?`,
      ),
      initial: '',
      choices: [no, { value: first!, name: text('yes', fr`oui`), text: plain }],
    };
  return {
    key: 'registries.insecure',
    label,
    hint: text(
      'Is one of these registries reached over plain HTTP (no TLS)?',
      fr`L’un de ces registres est-il joint en HTTP simple (sans TLS) ?`,
    ),
    initial: '',
    choices: [
      no,
      ...hosts.map((host) => ({ value: host, text: plain })),
      { value: hosts.join(','), name: all, text: plain },
    ],
  };
}

/** Returns the question for the folder of a medium, which exists only once the disk is mounted. */
export function askMedium(language: Language): Question {
  const text = speak(language);
  return {
    key: 'storage.root',
    label: text('Medium', fr`Support`),
    hint: text('Folder where the carried disk is mounted.', fr`Dossier où le disque transporté est monté.`),
    initial: '',
  };
}
