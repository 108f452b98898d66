import { namedProxy } from '@mediagate/host/outgoing';
import type { Session } from './session';

/** For commands that ask vendors: a proxy of the environment is passed by, as services do, which say so by not starting. */
export function warnOfProxy({ env, warn }: Pick<Session, 'env' | 'warn'>): void {
  const named = namedProxy(env);
  const isMeant = env['CONNECT_DIRECTLY'] === '1' || env['CONNECT_DIRECTLY'] === 'true';
  if (named !== undefined && !isMeant) {
    warn(`${named} is set, but vendors are asked directly, as services do; CONNECT_DIRECTLY=1 says that this is meant`);
  }
}
