import type { Question } from './question.ts';

/** What quickstart can ask, by the setting that the answer gives. */
export const questions: Readonly<Record<string, Question>> = {
  mode: {
    key: 'mode',
    label: 'Mode',
    hint: 'Choose with the arrows.',
    initial: 'mirror',
    choices: [
      { value: 'mirror', text: 'fills a store on request, for a disk that is carried' },
      { value: 'passthrough', text: 'fetches on an interval and promotes into a registry' },
    ],
  },
  'storage.root': {
    key: 'storage.root',
    label: 'Store folder',
    hint: 'Holds all content; made where it is missing.',
    initial: './storage',
  },
  'state.root': {
    key: 'state.root',
    label: 'State folder',
    hint: 'Accounts, tasks, what was imported: stays on this machine, never on a medium.',
    initial: './state',
  },
  admin: {
    key: 'admin',
    label: 'Administrator',
    hint: 'Name of the first account. Its password is asked for at the end.',
    initial: 'admin',
  },
  serve: {
    key: 'serve',
    label: 'Start it now?',
    hint: '',
    initial: 'yes',
    choices: [
      { value: 'yes', text: 'serve on this terminal until Ctrl-C' },
      { value: 'no', text: 'only write the configuration' },
    ],
  },
};
