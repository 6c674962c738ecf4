import { boolean, duration, integer, oneOf, path, size, text } from '../value-type.ts';
import { type KeyDraft, notNegative, positive, serve } from './key-draft.ts';

/** What it shows and says, and how it ends. */
export const loggingKeys: readonly KeyDraft[] = [
  {
    key: 'ui.themeOverride',
    type: path,
    doc: 'Style sheet of the operator, served after the embedded one.',
    scopes: serve,
  },
  {
    key: 'ui.showUpcoming',
    type: boolean,
    default: false,
    doc: 'Shows entries of the navigation that are not built yet, without function.',
    scopes: serve,
  },
  {
    key: 'logging.media.file',
    type: text('path in the store'),
    default: '_svc/logs/operations.log',
    fileOnly: true,
    doc: 'Operation log of the medium, mirror mode only. Must lie under `_svc/`, outside what the manifest covers.',
    scopes: ['serve', 'media-import', 'dump'],
  },
  {
    key: 'logging.media.maxSize',
    type: size,
    default: 10 * 2 ** 20,
    fileOnly: true,
    doc: 'Size at which the medium log is rotated.',
    rule: positive,
    scopes: ['serve', 'media-import', 'dump'],
  },
  {
    key: 'logging.media.keep',
    type: integer,
    default: 3,
    fileOnly: true,
    doc: 'Rotated generations kept.',
    rule: (value: number) => notNegative(value) ?? (value > 1000 ? 'must be at most 1000' : undefined),
    scopes: ['serve', 'media-import', 'dump'],
  },
  {
    key: 'logging.media.disabled',
    type: boolean,
    default: false,
    fileOnly: true,
    doc: 'Turns the medium log off.',
    scopes: ['serve', 'media-import', 'dump'],
  },
  {
    key: 'logging.level',
    type: oneOf(['debug', 'info', 'warn', 'error']),
    default: 'info',
    flag: '--log-level',
    doc: 'Least level of what is logged.',
  },
  {
    key: 'shutdown.gracePeriod',
    type: duration,
    default: 30e3,
    flag: '--shutdown-grace-period',
    doc: 'What requests under way get to finish after SIGTERM or SIGINT.',
    rule: notNegative,
    scopes: serve,
  },
];
