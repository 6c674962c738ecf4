import type { Question } from './question.ts';

/** Questions of quickstart, by setting. */
export const questions: Readonly<Record<string, Question>> = {
  mode: {
    key: 'mode',
    label: 'Mode',
    hint: 'Use the arrow keys.',
    initial: 'mirror',
    choices: [
      { value: 'mirror', text: 'fills a store on request, for a medium carried on disk' },
      { value: 'passthrough', text: 'synchronizes on an interval and promotes to a registry' },
    ],
  },
  'storage.root': {
    key: 'storage.root',
    label: 'Store folder',
    hint: 'Holds all content; created if missing.',
    initial: './storage',
  },
  'state.root': {
    key: 'state.root',
    label: 'State folder',
    hint: 'Holds accounts, tasks and import records; not carried on a medium.',
    initial: './state',
  },
  admin: {
    key: 'admin',
    label: 'Administrator',
    hint: 'Name of the first account. The password is asked for at the end.',
    initial: 'admin',
  },
  serve: {
    key: 'serve',
    label: 'Start it now?',
    hint: '',
    initial: 'yes',
    choices: [
      { value: 'yes', text: 'run on this terminal until Ctrl-C' },
      { value: 'no', text: 'only write the configuration' },
    ],
  },
};
