import { fr, type Sentence } from '../language.ts';

/** The command `svc history`. */
export const history = {
  outcomes: {
    success: ['success', fr`succès`],
    failure: ['failure', fr`échec`],
    denied: ['denied', fr`refus`],
  },
  none: ['no audit record', fr`aucun enregistrement d’audit`],
  off: [
    'Audit records are not kept: audit.keep is 0.',
    fr`Les enregistrements d’audit ne sont pas conservés : audit.keep vaut 0.`,
  ],
} as const satisfies Readonly<Record<string, Sentence | Readonly<Record<string, Sentence>>>>;
