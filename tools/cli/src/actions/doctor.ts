import { addressChecks } from '../doctor/address-checks';
import { certificateCheck } from '../doctor/certificate-check';
import { type CheckState, type NamedFinding, runChecks } from '../doctor/check';
import { configurationChecks } from '../doctor/configuration-checks';
import { databaseChecks } from '../doctor/database-checks';
import { type Examined, examine } from '../doctor/examined';
import { redisCheck } from '../doctor/redis-check';
import { storageChecks } from '../doctor/storage-checks';
import { troubleCheck } from '../doctor/trouble-check';
import type { Answer, Session } from '../session';
import { printable } from '../text-table';

export interface DoctorFlags {
  /** Ask vendors, too. */
  probe?: boolean;
  /** Seconds that each check may take. */
  timeout: number;
}

/** Looks at the whole deployment, in the order in which its parts need each other. */
export async function examineAll(session: Session, { probe = false, timeout }: DoctorFlags): Promise<Answer> {
  const withinMs = timeout * 1000;
  const findings = await runChecks(checksOf(examine(session, withinMs), probe), withinMs);
  const faults = countOf(findings, 'fault');
  return {
    json: { clean: faults === 0, checks: findings.map(toJson) },
    text: [...findings.map(lineOf), sumOf(findings)].join('\n'),
    faulty: faults > 0,
  };
}

function checksOf(examined: Examined, withProbe: boolean) {
  return [
    ...databaseChecks(examined),
    redisCheck(examined),
    ...storageChecks(examined),
    ...configurationChecks(examined, withProbe),
    certificateCheck(examined),
    ...addressChecks(examined),
    troubleCheck(examined),
  ];
}

function toJson({ check, state, found, action, runbook }: NamedFinding) {
  return {
    check,
    state,
    found,
    action: action ?? null,
    runbook: runbook === undefined ? null : `docs/runbooks/${runbook}`,
  };
}

const WIDTH = Math.max(...(['ok', 'warning', 'fault', 'unknown'] satisfies CheckState[]).map(({ length }) => length));

function lineOf({ check, state, found, action, runbook }: NamedFinding): string {
  const more = [action, runbook && `docs/runbooks/${runbook}`].filter(Boolean).join(' ');
  const todo = more === '' ? [] : [`${' '.repeat(WIDTH)}  → ${printable(more)}`];
  return [`${state.padEnd(WIDTH)}  ${check}: ${printable(found)}`, ...todo].join('\n');
}

function sumOf(findings: readonly NamedFinding[]): string {
  const [faults, warnings, unknown] = [
    countOf(findings, 'fault'),
    countOf(findings, 'warning'),
    countOf(findings, 'unknown'),
  ];
  return `${faults} faults, ${warnings} warnings, ${unknown} not looked at`;
}

function countOf(findings: readonly NamedFinding[], wanted: CheckState): number {
  return findings.filter(({ state }) => state === wanted).length;
}
