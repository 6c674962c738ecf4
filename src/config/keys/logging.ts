import { accents, patterns } from '../ui-band.ts';
import { boolean, duration, integer, oneOf, path, size, text } from '../value-type.ts';
import { atLeast, atMost, type KeyDraft, notNegative, positive, serve } from './key-draft.ts';

/** Settings of the web interface, logging and shutdown. */
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
    doc: 'Shows navigation entries of features that are not implemented yet.',
    scopes: serve,
  },
  {
    key: 'ui.accent',
    type: oneOf(accents),
    doc: 'Colour of the band above every page, so that nobody takes another instance for this one. Default: by the side of the instance.',
    scopes: serve,
  },
  {
    key: 'ui.pattern',
    type: oneOf(patterns),
    doc: 'Pattern of the band above every page, for those who do not see its colour. Default: by the side of the instance.',
    scopes: serve,
  },
  {
    key: 'logging.media.file',
    type: text('path in the store'),
    default: '_svc/logs/operations.log',
    fileOnly: true,
    doc: 'Operation log of the medium, mirror mode only. Must be below `_svc/`, which the medium manifest does not cover.',
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
    rule: (value: number) => notNegative(value) ?? atMost(1000)(value),
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
    doc: 'Minimum log level. Commands that end write records from warn up unless the level is set.',
  },
  {
    key: 'audit.keep',
    type: size,
    default: 64 * 2 ** 20,
    doc: 'Size of all audit records kept below the state folder; the oldest are removed first. `0` keeps none: they are in the log only.',
    rule: (value: number) => (value === 0 ? undefined : atLeast(2 ** 20, '1MiB')(value)),
  },
  {
    key: 'shutdown.gracePeriod',
    type: duration,
    default: 30e3,
    flag: '--shutdown-grace-period',
    doc: 'Time for open requests to finish after SIGTERM or SIGINT.',
    rule: notNegative,
    scopes: serve,
  },
];
