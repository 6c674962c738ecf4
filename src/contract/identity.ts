import { role } from './common.ts';
import { choice, component, described, object, string, type TypeOf, timestamp } from './schema.ts';

/** The caller. */
export const Identity = component(
  'Identity',
  object({
    name: described('Name of the client in audit records', string),
    role,
    via: choice('How the client authenticated', {
      basic: 'name and password, or a token as the password',
      bearer: 'an API token',
      session: 'the session of a browser',
      disabled: 'authentication is disabled',
    }),
    'account?': string,
    'expiresAt?': timestamp,
  }),
);
export type Identity = TypeOf<typeof Identity>;
