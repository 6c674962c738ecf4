import {
  boolean,
  choice,
  component,
  described,
  integer,
  list,
  object,
  string,
  type TypeOf,
  timestamp,
} from './schema.ts';

const link = {
  'bytesPerSecond?': described('Cap of all transfers together; absent without one', integer),
  'windows?': described('Daily windows; absent when transfers run at any time', list(string)),
  'timeZone?': described('Time zone of the windows', string),
  open: described('Whether transfers run now', boolean),
  'changesAt?': described('When that changes; absent when it never does', timestamp),
};

export const Link = component('Link', object(link));
export type Link = TypeOf<typeof Link>;

export const LinkForecast = component(
  'LinkForecast',
  object({
    ...link,
    'seconds?': described(
      'Seconds of transfer under the cap, received and pushed, without the hours between windows; absent without a cap, and when nothing could be planned',
      integer,
    ),
    'accuracy?': choice('What the seconds are; absent without a cap', {
      about: 'an estimate: nothing is pushed',
      'at-most': 'an upper limit: the destination may have parts of the content',
      'at-least': 'a lower limit: the push is not known and not counted',
    }),
  }),
);
export type LinkForecast = TypeOf<typeof LinkForecast>;
