import { fr, type Language, speak } from '../../src/base/language.ts';
import type { Question } from './question.ts';

/** Returns the questions of quickstart in a language, by setting. */
export function createQuestions(language: Language): Readonly<Record<string, Question>> {
  const text = speak(language);
  return {
    mode: {
      key: 'mode',
      label: 'Mode',
      hint: text('Use the arrow keys.', fr`Utilisez les flèches.`),
      initial: 'mirror',
      choices: [
        {
          value: 'mirror',
          text: text(
            'fills a store on request, for a medium carried on disk',
            fr`remplit un magasin à la demande, pour un support transporté`,
          ),
        },
        {
          value: 'passthrough',
          text: text(
            'synchronizes on an interval and promotes to a registry',
            fr`synchronise à intervalle régulier et promeut vers un registre`,
          ),
        },
      ],
    },
    'storage.root': {
      key: 'storage.root',
      label: text('Store folder', fr`Magasin`),
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
