import { notices } from '../../views/status.ts';
import { boolean, integer, object, oneOf, ref, type Schema, string, timestamp } from '../schema.ts';
import { role } from './common.ts';

/** The instance as a whole, and who asks. */
export const statusSchemas = {
  Identity: object({
    name: string,
    role,
    via: oneOf('basic', 'bearer', 'session', 'disabled'),
    'account?': string,
    'expiresAt?': timestamp,
  }),
  Status: object({
    version: string,
    mode: oneOf('passthrough', 'mirror'),
    'zone?': string,
    authentication: object({ disabled: boolean }),
    gate: object({
      guarded: boolean,
      serving: oneOf('open', 'closed'),
      'code?': oneOf('SVC-MED-030', 'SVC-MED-032'),
    }),
    occupancy: object({ bytes: integer, 'thresholdBytes?': integer, monitored: boolean, exceeded: boolean }),
    'lastSync?': object({
      runId: string,
      resolvedAt: timestamp,
      'outcome?': oneOf('success', 'partial', 'failure'),
    }),
    'lastTask?': ref('TaskSummary'),
    'running?': ref('TaskSummary'),
    pending: integer,
    verifying: boolean,
    notices: {
      type: 'array',
      items: oneOf(...notices),
    },
  }),
} satisfies Record<string, Schema>;
