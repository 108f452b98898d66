import net from 'node:net';
import tls from 'node:tls';
import { message } from '@mediagate/contracts';
import type { buildConnector } from 'undici';
import { EgressError } from './egress-error';
import { notPublic, type Target, type UrlPolicy } from './url-policy';

export interface PinnedConnection {
  target: Target;
  /** The only places the connection may go to, in order of preference. */
  addresses: readonly string[];
  policy: UrlPolicy;
  signal: AbortSignal;
  onPeer(address: string): void;
}

/**
 * Opens the connection of one request. Names are never looked up here: the addresses were judged before, and the one that
 * was reached is judged again, before a byte is sent. Host header and TLS keep the name.
 */
export function pinnedConnector(connection: PinnedConnection): buildConnector.connector {
  const { target, policy, signal } = connection;
  return (_options, callback) => {
    const secure = target.url.protocol === 'https:';
    const socket = secure ? openTls(connection) : net.connect(socketOptions(connection));
    const stop = () => socket.destroy(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    // Stays on for the socket's life: between the callback and the client's own listener an error would end the process.
    socket.on('error', (error) => callback(error, null));
    socket.once('close', () => signal.removeEventListener('abort', stop));
    socket.once('connect', () => {
      const peer = socket.remoteAddress;
      if (peer === undefined) socket.destroy(new EgressError('network', message('connection_broken')));
      else if (!policy.permits(peer, target)) socket.destroy(notPublic());
      else connection.onPeer(peer);
    });
    socket.once(secure ? 'secureConnect' : 'connect', () => {
      if (!socket.destroyed) callback(null, socket);
    });
    if (signal.aborted) stop();
  };
}

function openTls(connection: PinnedConnection): tls.TLSSocket {
  const { hostname } = connection.target;
  // TLS has no server name for a literal address; the certificate is then checked against the address.
  const servername = net.isIP(hostname) === 0 ? hostname : '';
  return tls.connect({
    ...socketOptions(connection),
    servername,
    ALPNProtocols: ['http/1.1'],
    // Set explicitly, because an environment variable can turn the default off.
    rejectUnauthorized: true,
  });
}

function socketOptions({ target, addresses }: PinnedConnection): net.TcpNetConnectOpts {
  const pinned = addresses.map((address) => ({ address, family: net.isIP(address) }));
  return {
    host: target.hostname,
    port: target.port,
    noDelay: true,
    lookup: (_hostname, options, callback) => {
      const [first] = pinned;
      if (first === undefined) callback(new EgressError('network', message('host_without_address')), '');
      else if (options.all) callback(null, pinned);
      else callback(null, first.address, first.family);
    },
  };
}
