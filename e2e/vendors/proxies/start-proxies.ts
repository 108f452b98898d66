import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, untilExit, untilItAnswers } from '@mediagate/testkit/servers';

const FILES = join(__dirname, '../../../deploy/proxies');

/** The addresses of API and console. */
export interface Origins {
  api: string;
  console: string;
}

/** A proxy before API and console; both are on loopback. */
export interface ProxyProcess {
  apiPort: number;
  consolePort: number;
  stop(): Promise<void>;
}

interface Kind {
  /** The configuration of a newcomer, who sets nothing. */
  defaults(origins: Origins, ports: Ports): string;
  /** The file of `deploy/proxies`, led to these addresses, without TLS. */
  shipped(text: string, origins: Origins, ports: Ports): string;
  shippedFile: string;
  /** The whole configuration around it. */
  around(text: string, folder: string): string;
  args(file: string, folder: string): string[];
}

interface Ports {
  api: number;
  console: number;
}

const NGINX: Kind = {
  defaults: (origins, ports) =>
    [
      [origins.api, ports.api],
      [origins.console, ports.console],
    ]
      .map(([origin, port]) => `server { listen 127.0.0.1:${port}; location / { proxy_pass http://${origin}; } }`)
      .join('\n'),
  shipped: (text, origins, ports) =>
    replaceAll(text, [
      [/^ *ssl_certificate.*\n/gm, ''],
      ['server 127.0.0.1:8080;', `server ${origins.api};`],
      ['server 127.0.0.1:8081;', `server ${origins.console};`],
      ['listen 443 ssl http2;\n  server_name media', `listen 127.0.0.1:${ports.api};\n  server_name media`],
      ['listen 443 ssl http2;\n  server_name console', `listen 127.0.0.1:${ports.console};\n  server_name console`],
    ]),
  shippedFile: 'nginx.conf',
  around: (text, folder) => `
    daemon off;
    ${process.getuid?.() === 0 ? 'user root;' : ''}
    pid ${folder}/nginx.pid;
    error_log ${folder}/error.log;
    events {}
    http {
      access_log off;
      ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join('\n')}
      ${text}
    }`,
  args: (file, folder) => ['-p', folder, '-c', file],
};

const CADDY: Kind = {
  defaults: (origins, ports) => `
http://:${ports.api} {
	reverse_proxy ${origins.api}
}
http://:${ports.console} {
	reverse_proxy ${origins.console}
}`,
  shipped: (text, origins, ports) =>
    replaceAll(text, [
      ['127.0.0.1:8080', origins.api],
      ['127.0.0.1:8081', origins.console],
      ['media.example.com', `http://:${ports.api}`],
      ['console.example.com', `http://:${ports.console}`],
    ]),
  shippedFile: 'Caddyfile',
  around: (text, folder) => `{
	admin off
	default_bind 127.0.0.1
	storage file_system ${folder}
}
${text}`,
  args: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
};

const KINDS = { nginx: NGINX, caddy: CADDY };
export type ProxyName = keyof typeof KINDS;

export async function startProxy(
  name: ProxyName,
  { program, origins, shipped }: { program: string; origins: Origins; shipped: boolean },
): Promise<ProxyProcess> {
  const folder = await mkdtemp(join(tmpdir(), `mediagate-${name}-`));
  const kind = KINDS[name];
  const ports = { api: await freePort(), console: await freePort() };
  const own = shipped
    ? kind.shipped(await readFile(join(FILES, kind.shippedFile), 'utf8'), origins, ports)
    : kind.defaults(origins, ports);
  const file = join(folder, 'configuration');
  await writeFile(file, kind.around(own, folder));
  await mkdir(join(folder, 'home'));
  const child = spawn(program, kind.args(file, folder), {
    env: { HOME: join(folder, 'home'), PATH: process.env['PATH'] },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await untilItAnswers(() => isListening(ports.console), untilExit(child));
  return {
    apiPort: ports.api,
    consolePort: ports.console,
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** By a connection: to bind the port for a moment would keep it from the proxy. */
function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

/** @throws Error if a text is not there: the file of `deploy/proxies` is then another than this test reads. */
function replaceAll(text: string, pairs: readonly (readonly [string | RegExp, string])[]): string {
  return pairs.reduce((before, [from, to]) => {
    const after = before.replaceAll(from, to);
    if (after === before) throw new Error(`deploy/proxies has no ${from}`);
    return after;
  }, text);
}
