import { request as overHttp } from 'node:http';
import { request as overTls } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { reasonOf } from '../session';
import { type Check, type Finding, NotLookedAt } from './check';
import type { Examined } from './examined';

/** The addresses that callers and browsers are given. */
export function addressChecks({ session: { deployment }, withinMs }: Examined): Check[] {
  const look = async (base: string, { variable, path }: { variable: string; path: string }) => {
    if (base === '') throw new NotLookedAt(`${variable} is not set here`);
    return addressFindings(base, new URL(`${base}${path}`), withinMs);
  };
  return [
    {
      name: 'address of the API',
      look: () => look(deployment.publicUrl(), { variable: 'PUBLIC_BASE_URL', path: '/openapi.json' }),
    },
    {
      name: 'address of the console',
      look: () => look(deployment.consoleUrl(), { variable: 'CONSOLE_PUBLIC_URL', path: '/' }),
    },
  ];
}

/** Some networks do not lead a machine to its own public address, so that this is no fault by itself. */
async function addressFindings(base: string, url: URL, withinMs: number): Promise<Finding[]> {
  const action =
    'Look at the proxy in front, its certificate and the name; a firewall may keep only this machine away.';
  try {
    const { status, endsAt } = await ask(url, withinMs);
    const found = `${base} answers ${status}`;
    const findings: Finding[] = [status < 400 ? { state: 'ok', found } : { state: 'warning', found, action }];
    return endsAt === undefined ? findings : [...findings, certificateFinding(endsAt)];
  } catch (error) {
    return [{ state: 'warning', found: `${base} cannot be reached from here: ${reasonOf(error)}`, action }];
  }
}

/** The status of an answer, and the end of the certificate of who gave it. */
function ask(url: URL, withinMs: number): Promise<{ status: number; endsAt: Date | undefined }> {
  return new Promise((resolve, reject) => {
    const request = url.protocol === 'https:' ? overTls : overHttp;
    // The console shows its page to browsers alone.
    const headers = { accept: 'text/html, */*' };
    const sent = request(url, { agent: false, headers, signal: AbortSignal.timeout(withinMs) }, (answer) => {
      const certificate = url.protocol === 'https:' ? (answer.socket as TLSSocket).getPeerCertificate() : undefined;
      answer.destroy();
      resolve({ status: answer.statusCode ?? 0, endsAt: certificate && new Date(certificate.valid_to) });
    });
    sent.on('error', reject).end();
  });
}

const DAY_MS = 24 * 3_600_000;
/** Certificates that are renewed by themselves are so a month before their end. */
const FEW_DAYS = 14;

function certificateFinding(endsAt: Date): Finding {
  const days = Math.floor((endsAt.getTime() - Date.now()) / DAY_MS);
  const found = `its certificate ends in ${days} days`;
  return days >= FEW_DAYS ? { state: 'ok', found } : { state: 'warning', found, action: 'Renew it.' };
}
