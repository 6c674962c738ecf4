import { connect } from 'node:net';

/** Whether somebody listens there, for programs that say nowhere that they do. */
export const connectsTo = (port: number, address = '127.0.0.1'): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, address);
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
