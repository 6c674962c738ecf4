import { openConnection, type Route } from './connect.ts';
import { isOfTls } from './failure.ts';

/** Maximum time of the handshake in milliseconds: it only explains a failure. */
const patience = 3000;

/**
 * Whether the host of a plain-HTTP URL answers a TLS handshake at the same port. Servers of TLS answer plain HTTP with
 * status 400 or cut the connection off, neither of which says why.
 *
 * @param signal ends the handshake; the answer is false then
 */
export async function answersInTls(url: URL, route: Route, signal?: AbortSignal): Promise<boolean> {
  const target = new URL(url);
  // the scheme brings its own default port
  target.protocol = 'https:';
  target.port = url.port || '80';
  try {
    const timeout = Math.min(route.timeout, patience);
    const socket = await openConnection(
      target,
      { ...route, timeout },
      signal ?? new AbortController().signal,
    );
    socket.destroy();
    return true;
  } catch (error) {
    return isOfTls(error);
  }
}
