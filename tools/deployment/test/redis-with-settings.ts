import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureRedis, freePort, untilExit } from '@mediagate/testkit/servers';
import type { Certificates } from './certificates';

export interface RedisWithSettings {
  port: number;
  /** All its answers on one connection, once it has answered the last line. */
  ask(...lines: string[]): Promise<string>;
  stop(): Promise<void>;
}

/** A real Redis that takes a settings file as it stands; with certificates it speaks TLS and nothing else. */
export async function startRedisWith(
  settings: string,
  tls?: Pick<Certificates, 'certificate' | 'key'>,
): Promise<RedisWithSettings> {
  const program = await ensureRedis(() => undefined);
  if (program.kind !== 'program') throw new Error('this test needs Redis as a program');
  const directory = mkdtempSync(join(tmpdir(), 'redis-settings-'));
  const port = await freePort();
  const child = spawn(program.path, ['-', '--bind', '127.0.0.1', ...portOptions(port, tls)], {
    cwd: directory,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin?.end(settings);
  await new Promise<void>((resolve, reject) => {
    let log = '';
    child.stdout?.on('data', (chunk) => {
      log += chunk;
      if (log.includes('Ready to accept connections')) resolve();
    });
    child.once('exit', () => reject(new Error(`Redis ended: ${log}`)));
  });
  return {
    port,
    ask: (...lines) => askOnce(port, lines),
    async stop() {
      child.kill('SIGTERM');
      await untilExit(child);
      rmSync(directory, { recursive: true });
    },
  };
}

function portOptions(port: number, tls: Pick<Certificates, 'certificate' | 'key'> | undefined): string[] {
  if (tls === undefined) return ['--port', String(port)];
  const files = ['--tls-cert-file', tls.certificate, '--tls-key-file', tls.key, '--tls-auth-clients', 'no'];
  return ['--port', '0', '--tls-port', String(port), ...files];
}

function askOnce(port: number, lines: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port });
    let answers = '';
    socket.once('error', reject);
    socket.on('data', (chunk) => {
      answers += chunk;
    });
    socket.once('close', () => resolve(answers));
    // QUIT makes the server close the connection once all is answered.
    socket.write([...lines, 'QUIT', ''].join('\r\n'));
  });
}
