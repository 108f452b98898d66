import { LegendDisplayMode, LegendPlacement, VizLegendOptionsBuilder } from '@grafana/grafana-foundation-sdk/common';
import {
  type Dashboard,
  DashboardBuilder,
  DatasourceVariableBuilder,
  RowBuilder,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { DataqueryBuilder } from '@grafana/grafana-foundation-sdk/prometheus';
import { PanelBuilder } from '@grafana/grafana-foundation-sdk/timeseries';

type Unit = 's' | 'short' | 'percentunit' | 'reqps';

interface Panel {
  title: string;
  means: string;
  unit: Unit;
  /** By what each line is called, in Grafana's words. */
  lines: Readonly<Record<string, string>>;
}

const RATE = '[$__rate_interval]';
const p95 = (metric: string, by: string, where = '') =>
  `histogram_quantile(0.95, sum by (le, ${by}) (rate(${metric}_bucket${where}${RATE})))`;
const perSecond = (metric: string, by: string, where = '') => `sum by (${by}) (rate(${metric}${where}${RATE}))`;
const lastDay = (metric: string, by: string) => `sum by (${by}) (increase(${metric}[1d]))`;

const FAULTS = 'mediagate_upstream_faults_total';
const CALLS = 'mediagate_upstream_call_duration_seconds';
const CHARGED = 'mediagate_charged_units_total';
const COST = 'mediagate_vendor_cost_units_total';

/** Rows are the questions that an operator has, in the order in which they arise. */
const QUESTIONS: Readonly<Record<string, readonly Panel[]>> = {
  'Is it slow?': [
    {
      title: 'Submission to end, by family',
      means: 'A twentieth of the tasks takes longer.',
      unit: 's',
      lines: { '{{family}}': p95('mediagate_task_duration_seconds', 'family') },
    },
    {
      title: 'Submission to end, by model',
      means: 'A twentieth of the tasks takes longer.',
      unit: 's',
      lines: { '{{model}}': p95('mediagate_task_duration_seconds', 'model') },
    },
    {
      title: 'Requests, by route',
      means: 'A twentieth of the requests takes longer. Those that wait for a task take as long as it.',
      unit: 's',
      lines: { '{{method}} {{route}}': p95('mediagate_http_request_duration_seconds', 'method, route') },
    },
    {
      title: 'Answers, by status',
      means: '',
      unit: 'reqps',
      lines: { '{{status}}': perSecond('mediagate_http_request_duration_seconds_count', 'status') },
    },
    {
      title: 'Refusals, by reason',
      means: 'What callers were given as the reason.',
      unit: 'reqps',
      lines: { '{{reason}}': perSecond('mediagate_http_refusals_total', 'reason') },
    },
    {
      title: 'Failed tasks, by reason',
      means: 'All of them were refunded.',
      unit: 'reqps',
      lines: { '{{family}} {{reason}}': perSecond('mediagate_task_failures_total', 'family, reason') },
    },
  ],
  'Which vendor?': [
    {
      title: 'Calls, by channel',
      means: 'A twentieth of the calls takes longer until the answer, or until it begins.',
      unit: 's',
      lines: { '{{channel}} {{call}}': p95(CALLS, 'channel, call', '{outcome="answered"}') },
    },
    {
      title: 'Share of faulty calls, by channel',
      means: 'Also those that callers are to blame for: the next panel tells them apart.',
      unit: 'percentunit',
      lines: { '{{channel}}': `${perSecond(FAULTS, 'channel')} / ${perSecond(`${CALLS}_count`, 'channel')}` },
    },
    {
      title: 'Faults, by channel and class',
      means: '',
      unit: 'reqps',
      lines: { '{{channel}} {{fault}}': perSecond(FAULTS, 'channel, fault') },
    },
    {
      title: 'Open breakers',
      means: 'Processes that pass the channel over, or one of its models.',
      unit: 'short',
      lines: {
        '{{channel}}': 'sum by (channel) (mediagate_channel_breaker_open) > 0',
        '{{channel}} {{model}}': 'sum by (channel, model) (mediagate_channel_model_breaker_open) > 0',
      },
    },
    {
      title: 'Cool-down',
      means: 'How long until the first process probes the channel.',
      unit: 's',
      lines: { '{{channel}}': 'min by (channel) (mediagate_channel_cooldown_seconds > 0)' },
    },
    {
      title: 'Slots in use',
      means: 'Of channels with a limit.',
      unit: 'percentunit',
      lines: {
        '{{channel}}':
          'max by (channel) (mediagate_channel_slots_in_use) / max by (channel) (mediagate_channel_slots_limit)',
      },
    },
  ],
  'What does it cost?': [
    {
      title: 'Charged in a day, by channel',
      means: 'In currency units.',
      unit: 'short',
      lines: { '{{channel}}': lastDay(CHARGED, 'channel') },
    },
    {
      title: 'Cost of a day, by channel',
      means: 'What vendors charge, in currency units, as far as it is known.',
      unit: 'short',
      lines: { '{{channel}}': lastDay(COST, 'channel') },
    },
    {
      title: 'Margin of a day, by channel',
      means: 'Charge less cost, in currency units. Tasks of unknown cost look free: the next panel counts them.',
      unit: 'short',
      lines: { '{{channel}}': `${lastDay(CHARGED, 'channel')} - ${lastDay(COST, 'channel')}` },
    },
    {
      title: 'Tasks of a day whose cost nobody knows',
      means: '',
      unit: 'short',
      lines: { '{{channel}}': lastDay('mediagate_vendor_cost_unknown_total', 'channel') },
    },
    {
      title: 'Overruns of a day, by model',
      means: 'Tasks that used more than was reserved: the platform pays the rest.',
      unit: 'short',
      lines: { '{{model}}': `${lastDay('mediagate_overruns_total', 'model')} > 0` },
    },
    {
      title: 'Books',
      means: 'Violations of the last audit, and how long ago the last clean one was.',
      unit: 'short',
      lines: {
        violations: 'max(mediagate_audit_violations)',
        'seconds since the last clean audit': 'time() - max(mediagate_audit_last_clean_timestamp_seconds)',
      },
    },
  ],
  'What waits?': [
    {
      title: 'Tasks that are due, by family',
      means: 'A worker could take them now.',
      unit: 'short',
      lines: { '{{family}}': 'max by (family) (mediagate_due_tasks)' },
    },
    {
      title: 'Oldest task that is due, by family',
      means: '',
      unit: 's',
      lines: { '{{family}}': 'max by (family) (mediagate_due_tasks_oldest_seconds)' },
    },
    {
      title: 'Tasks in flight, by family',
      means: 'Workers have them now.',
      unit: 'short',
      lines: { '{{family}}': 'sum by (family) (mediagate_tasks_in_flight)' },
    },
    {
      title: 'Callbacks',
      means: 'Due and not sent; how long the oldest has waited; those that wait for their host or account.',
      unit: 'short',
      lines: {
        due: 'max(mediagate_due_deliveries)',
        'seconds of the oldest': 'max(mediagate_due_deliveries_oldest_seconds)',
        'waiting for their share': 'sum(mediagate_webhook_waiting)',
      },
    },
    {
      title: 'Callbacks, by what came of them',
      means: '',
      unit: 'reqps',
      lines: { '{{outcome}}': perSecond('mediagate_webhook_attempts_total', 'outcome') },
    },
    {
      title: 'What waits for an operator',
      means: 'Attempts whose outcome nobody knows, and accounts that are about to run out.',
      unit: 'short',
      lines: {
        'attempts in quarantine': 'max(mediagate_quarantined_attempts)',
        'low balances': 'max(mediagate_low_balance_accounts)',
      },
    },
  ],
  'Is it up?': [
    {
      title: 'What does not answer',
      means: 'Checks that fail, by process.',
      unit: 'short',
      lines: { '{{job}} {{instance}} {{check}}': 'mediagate_readiness == 0' },
    },
    {
      title: 'Connections to the database, by process',
      means: 'Share of the pool that is busy.',
      unit: 'percentunit',
      lines: {
        '{{job}} {{instance}}':
          'sum by (job, instance) (mediagate_database_connections{state="busy"}) / sum by (job, instance) (mediagate_database_connections_limit)',
      },
    },
    {
      title: 'What waits for the database, by process',
      means: 'For a connection, and for the next batch.',
      unit: 'short',
      lines: {
        '{{job}} {{instance}} connection': 'mediagate_database_waiting > 0',
        '{{job}} {{instance}} {{batch}}': 'mediagate_database_batch_waiting_items > 0',
      },
    },
    {
      title: 'Items a statement, by batch',
      means: 'One: callers come alone. Many: they share statements.',
      unit: 'short',
      lines: {
        '{{batch}}': `${perSecond('mediagate_database_batch_items_total', 'batch')} / ${perSecond('mediagate_database_batches_total', 'batch')}`,
      },
    },
    {
      title: 'CPU, by process',
      means: 'Cores.',
      unit: 'short',
      lines: { '{{job}} {{instance}}': perSecond('process_cpu_seconds_total', 'job, instance') },
    },
    {
      title: 'Lag of the event loop, by process',
      means: 'A hundredth of its turns is later by this.',
      unit: 's',
      lines: { '{{job}} {{instance}}': 'nodejs_eventloop_lag_p99_seconds' },
    },
  ],
};

/** The dashboard that the chart brings, valid by the builders' types. */
export function buildDashboard(): Dashboard {
  const dashboard = new DashboardBuilder('mediagate')
    .uid('mediagate')
    .description('Is it slow, which vendor, what does it cost, what waits. docs/metrics.md has every metric.')
    .tags(['mediagate'])
    .refresh('30s')
    .time({ from: 'now-6h', to: 'now' })
    .timezone('browser')
    .withVariable(new DatasourceVariableBuilder('datasource').label('Prometheus').type('prometheus'));
  for (const [question, panels] of Object.entries(QUESTIONS)) {
    dashboard.withRow(new RowBuilder(question));
    for (const panel of panels) dashboard.withPanel(buildPanel(panel));
  }
  return dashboard.build();
}

/** Three in a row of Grafana's 24 columns. */
const SPAN = 8;

function buildPanel({ title, means, unit, lines }: Panel): PanelBuilder {
  const panel = new PanelBuilder()
    .title(title)
    .description(means)
    .unit(unit)
    .span(SPAN)
    .height(SPAN)
    .legend(
      new VizLegendOptionsBuilder()
        .showLegend(true)
        .displayMode(LegendDisplayMode.List)
        .placement(LegendPlacement.Bottom),
    )
    .datasource({ type: 'prometheus', uid: '$datasource' });
  Object.entries(lines).forEach(([legend, expression], index) => {
    const refId = String.fromCharCode('A'.charCodeAt(0) + index);
    panel.withTarget(new DataqueryBuilder().expr(expression).legendFormat(legend).refId(refId));
  });
  return panel;
}

export const DASHBOARD_FILE = 'deploy/helm/mediagate/files/dashboard.json';

export function dashboardText(): string {
  return `${JSON.stringify(buildDashboard(), null, 2)}\n`;
}
