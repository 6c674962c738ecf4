import { choiceLife, cookieNames, toSetCookie } from '../cookies.ts';
import { fieldOf } from '../read-form.ts';
import { isLocal } from '../to-href.ts';
import { type ActionCall, type Outcome, themes, type UiRoute } from '../ui-route.ts';

/** Remembers one of a few values for a year, and goes back to where it was chosen. Anything else changes nothing. */
function choose(call: ActionCall, cookie: string, field: string, values: readonly string[]): Outcome {
  const { fields, settings, certificate } = call;
  const value = fieldOf(fields, field);
  const next = fieldOf(fields, 'next') ?? '/';
  const location = next.startsWith('/') && next.length <= 2048 && isLocal(next) ? next : '/';
  if (value === undefined || !values.includes(value)) return { location };
  const secure = certificate !== undefined || settings.secureCookies;
  return { location, cookies: [toSetCookie(cookie, value, { secure, maxAge: choiceLife })] };
}

export const choiceRoutes: readonly UiRoute[] = [
  {
    method: 'POST',
    path: '/lang',
    floor: 'public',
    page: '/login',
    isInHeader: true,
    run: (call) => choose(call, cookieNames.language, 'language', ['en', 'fr']),
  },
  {
    method: 'POST',
    path: '/theme',
    floor: 'public',
    page: '/login',
    isInHeader: true,
    run: (call) => choose(call, cookieNames.theme, 'theme', themes),
  },
];
