import type { QueueCounts } from '@mediagate/queue';
import type { ProcessFigures } from '../health/key-figures';
import type { ProcessHealth } from '../health/probe-process';
import { type Html, html } from './html';
import { page } from './layout';
import { bytes, count, duration } from './quantities';

export interface HealthReport {
  processes: readonly ProcessHealth[];
  /** Undefined: Redis does not answer. */
  queues: readonly QueueCounts[] | undefined;
  asOf: Date;
}

const REFRESH_SECONDS = 5;

export function healthPage(report: HealthReport, { user, refreshes }: { user: string; refreshes: boolean }): string {
  const { processes, queues, asOf } = report;
  const options = { title: 'Health', user };
  return page(
    refreshes ? { ...options, refreshSeconds: REFRESH_SECONDS } : options,
    html`<div class="title">
<h1>Health</h1>
<p>as of <time datetime="${asOf.toISOString()}">${asOf.toISOString().slice(11, 19)} UTC</time> ·
<a href="${refreshes ? '/' : '/?live=1'}">${refreshes ? 'stop refreshing' : `refresh every ${REFRESH_SECONDS} s`}</a></p>
</div>
${summary(processes)}
${processes.length > 0 ? processTable(processes) : undefined}
<h2>Queues</h2>
${queues === undefined ? REDIS_DOWN : queueTable(queues)}`,
  );
}

const REDIS_DOWN = html`<p class="fault" role="alert">Redis does not answer, so the queues cannot be shown. No task and no
money is in it: submissions go on, and the reconciler enqueues everything again once Redis is back.</p>`;

function summary(processes: readonly ProcessHealth[]): Html {
  if (processes.length === 0) return html`<p class="fault">No process is known: set CONSOLE_HEALTH_URLS.</p>`;
  const ready = processes.filter(({ state }) => state === 'ready').length;
  const all = ready === processes.length;
  return html`<p class="${all ? 'well' : 'fault'}" role="status">${
    all ? `All ${ready} processes are ready.` : `${ready} of ${processes.length} processes are ready.`
  }</p>`;
}

function processTable(processes: readonly ProcessHealth[]): Html {
  return html`<div class="scroll"><table>
<caption>Processes</caption>
<thead><tr><th scope="col">Process</th><th scope="col">State</th><th scope="col" class="number">Up for</th>
<th scope="col" class="number">Memory</th><th scope="col" class="number">Loop lag p99</th><th scope="col">Work since start</th></tr></thead>
<tbody>
${processes.map(processRow)}
</tbody>
</table></div>`;
}

function processRow({ name, address, state, reason, figures }: ProcessHealth): Html {
  return html`<tr>
<th scope="row">${name}<span class="address">${address}</span></th>
<td><span class="state ${state.replace(' ', '-')}">${state}</span>${
    reason === undefined ? undefined : html`<span class="reason">${reason}</span>`
  }</td>
<td class="number">${figure(figures?.upSeconds, duration)}</td>
<td class="number">${figure(figures?.residentBytes, bytes)}</td>
<td class="number">${figure(figures?.loopLagMs, (milliseconds) => `${milliseconds.toFixed(0)} ms`)}</td>
<td>${work(figures)}</td>
</tr>
`;
}

function figure(value: number | undefined, show: (value: number) => string): string {
  return value === undefined ? '–' : show(value);
}

function work(figures: ProcessFigures | undefined): Html | string {
  if (figures === undefined || figures.work.length === 0) return '–';
  return html`<ul class="figures">${figures.work.map(
    ({ label, value, alarming }) =>
      html`<li class="${alarming ? 'alarming' : ''}"><b>${count(value)}</b> ${label}</li>`,
  )}</ul>`;
}

function queueTable(queues: readonly QueueCounts[]): Html {
  return html`<div class="scroll"><table>
<caption>Jobs in Redis</caption>
<thead><tr><th scope="col">Queue</th><th scope="col" class="number">Waiting</th><th scope="col" class="number">Active</th>
<th scope="col" class="number">Delayed</th><th scope="col">State</th></tr></thead>
<tbody>
${queues.map(queueRow)}
</tbody>
</table></div>
<p><a href="/queues">Open the queues</a></p>`;
}

function queueRow({ name, waiting, active, delayed, paused }: QueueCounts): Html {
  return html`<tr>
<th scope="row"><a href="/queues/queue/${encodeURIComponent(name)}">${name}</a></th>
<td class="number">${count(waiting)}</td><td class="number">${count(active)}</td><td class="number">${count(delayed)}</td>
<td><span class="state ${paused ? 'not-ready' : 'ready'}">${paused ? 'paused' : 'running'}</span></td>
</tr>
`;
}
