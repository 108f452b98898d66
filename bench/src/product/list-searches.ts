import { accountIdOf, keyIdOf, type ListRows, mediaIdOf, msOf, requestIdOf, taskIdOf } from '@mediagate/testkit/rows';

/** One page that somebody asks for. */
export interface Search {
  path: string;
  /** How it is shown, where the path has ids in it. */
  title?: string;
  by: 'caller' | 'operator';
}

/** Each filter of the lists of callers, alone, and pairs that seldom meet. */
export function searchesOfCallers(rows: ListRows): Search[] {
  const { tasks } = rows;
  const middle = seconds(msOf(rows, tasks / 2));
  const last = tasks - rows.open;
  const order = last - ((last - 1) % 20);
  return [
    { path: '/v1/tasks' },
    { path: '/v1/tasks?status=completed' },
    { path: '/v1/tasks?status=failed' },
    { path: '/v1/tasks?status=processing' },
    { path: '/v1/tasks?family=image' },
    { path: '/v1/tasks?family=tts', title: '/v1/tasks?family=tts (none)' },
    { path: '/v1/tasks?model=imagegen-2.5-flare' },
    { path: '/v1/tasks?model=image-rare', title: '/v1/tasks?model= (80 tasks)' },
    { path: `/v1/tasks?created_before=${middle}`, title: '/v1/tasks?created_before= (the middle)' },
    { path: `/v1/tasks?created_after=${middle}`, title: '/v1/tasks?created_after= (the middle)' },
    { path: `/v1/tasks?idempotency_key=idem-${order}`, title: '/v1/tasks?idempotency_key=' },
    { path: `/v1/tasks?parent_task_id=${taskIdOf(rows, 1)}`, title: '/v1/tasks?parent_task_id=' },
    { path: `/v1/tasks?metadata.order=o${order}`, title: '/v1/tasks?metadata.order= (one task)' },
    { path: '/v1/tasks?metadata.team=usual', title: '/v1/tasks?metadata.team= (one in twenty)' },
    { path: '/v1/tasks?metadata.team=rare', title: '/v1/tasks?metadata.team= (ten tasks)' },
    { path: '/v1/tasks?callback=failed' },
    { path: '/v1/tasks?callback=delivered' },
    { path: '/v1/tasks?callback=pending' },
    { path: '/v1/tasks?family=image&status=completed' },
    { path: '/v1/tasks?status=failed&model=music-3', title: '/v1/tasks?status=failed&model= (they never meet)' },
    { path: '/v1/tasks?model=imagegen-2.5-flare&callback=failed' },
    {
      path: '/v1/tasks?metadata.team=usual&status=failed',
      title: '/v1/tasks?metadata.team=&status= (they never meet)',
    },
    { path: '/v1/ledger' },
    { path: `/v1/ledger?task_id=${taskIdOf(rows, 1)}`, title: '/v1/ledger?task_id=' },
  ].map((search) => ({ ...search, by: 'caller' }));
}

/** Each search of the operators' API, alone, and some of those that support cases combine. */
export function searchesOfOperators(rows: ListRows, hotAccountId: string): Search[] {
  const { tasks } = rows;
  const some = Math.floor(tasks / 2 / 10) * 10 + 1;
  const middle = seconds(msOf(rows, tasks / 2));
  const id = taskIdOf(rows, some);
  const ofTasks = [
    { path: '/admin/v1/tasks' },
    { path: `/admin/v1/tasks?request_id=case-${some + 8}`, title: '/admin/v1/tasks?request_id= (the caller’s)' },
    { path: `/admin/v1/tasks?request_id=${requestIdOf(rows, some)}`, title: '/admin/v1/tasks?request_id= (our own)' },
    { path: `/admin/v1/tasks?id=${id}`, title: '/admin/v1/tasks?id= (whole)' },
    { path: `/admin/v1/tasks?id=${id.slice(0, 15)}`, title: '/admin/v1/tasks?id= (its beginning)' },
    { path: `/admin/v1/tasks?id=${id.slice(-8)}`, title: '/admin/v1/tasks?id= (its end)' },
    { path: `/admin/v1/tasks?url=${urlOf(rows, some)}`, title: '/admin/v1/tasks?url=' },
    { path: `/admin/v1/tasks?account_id=${hotAccountId}`, title: '/admin/v1/tasks?account_id=' },
    {
      path: `/admin/v1/tasks?account_id=${hotAccountId}&metadata.team=rare`,
      title: '/admin/v1/tasks?account_id=&metadata.team=',
    },
    { path: `/admin/v1/tasks?created_before=${middle}`, title: '/admin/v1/tasks?created_before= (the middle)' },
    { path: '/admin/v1/tasks?status=failed' },
    { path: '/admin/v1/tasks?model=image-rare', title: '/admin/v1/tasks?model= (80 tasks)' },
  ];
  return [...ofTasks, ...searchesOfRecords(rows, hotAccountId)].map((search) => ({ ...search, by: 'operator' }));
}

/** Searches of accounts, keys, callbacks, the audit log and attempts. */
function searchesOfRecords(rows: ListRows, hotAccountId: string): Omit<Search, 'by'>[] {
  const account = accountIdOf(rows, 2);
  return [
    { path: '/admin/v1/accounts' },
    { path: '/admin/v1/accounts?query=Studio%20c81', title: '/admin/v1/accounts?query= (how a name begins)' },
    { path: `/admin/v1/accounts?query=${account}`, title: '/admin/v1/accounts?query= (an id)' },
    { path: '/admin/v1/accounts?query=nobody%20at%20all', title: '/admin/v1/accounts?query= (nobody)' },
    { path: '/admin/v1/accounts?state=suspended' },
    { path: `/admin/v1/accounts?key_id=${keyIdOf(2)}`, title: '/admin/v1/accounts?key_id=' },
    { path: '/admin/v1/keys' },
    { path: `/admin/v1/keys?account_id=${account}`, title: '/admin/v1/keys?account_id=' },
    { path: `/admin/v1/keys?id=${keyIdOf(2)}`, title: '/admin/v1/keys?id=' },
    { path: '/admin/v1/keys?revoked=true' },
    { path: '/admin/v1/deliveries' },
    { path: '/admin/v1/deliveries?state=exhausted' },
    { path: '/admin/v1/deliveries?state=delivered' },
    { path: '/admin/v1/deliveries?state=pending' },
    { path: '/admin/v1/deliveries?state=dropped', title: '/admin/v1/deliveries?state=dropped (none)' },
    { path: `/admin/v1/deliveries?account_id=${hotAccountId}`, title: '/admin/v1/deliveries?account_id=' },
    {
      path: `/admin/v1/deliveries?account_id=${account}&state=rejected`,
      title: '/admin/v1/deliveries?account_id=&state=',
    },
    { path: `/admin/v1/deliveries?task_id=${taskIdOf(rows, 3)}`, title: '/admin/v1/deliveries?task_id=' },
    { path: '/admin/v1/actions' },
    { path: `/admin/v1/actions?subject=${account}`, title: '/admin/v1/actions?subject=' },
    { path: '/admin/v1/attempts' },
  ];
}

/** Reports for the account that has most of the tasks, and for all accounts. */
export function usageReports(rows: ListRows): Search[] {
  const end = rows.begin.getTime() + rows.tasks * rows.stepMs;
  const from = (days: number) => seconds(end - days * DAY_MS);
  return [
    { path: `/v1/usage?from=${from(1)}&group_by=day,model`, title: '/v1/usage (a day)' },
    { path: `/v1/usage?from=${from(30)}&group_by=day,model`, title: '/v1/usage (thirty days)' },
    { path: '/v1/usage?group_by=day,model,key', title: '/v1/usage (until now)' },
    { path: `/v1/invoice?month=${monthOf(end)}`, title: '/v1/invoice (this month)' },
    { path: `/admin/v1/usage?from=${from(1)}&group_by=day,model`, title: '/admin/v1/usage (a day)' },
    { path: `/admin/v1/usage?from=${from(30)}&group_by=day,vendor,model`, title: '/admin/v1/usage (thirty days)' },
  ].map((search) => ({ ...search, by: search.path.startsWith('/admin') ? 'operator' : 'caller' }));
}

const DAY_MS = 86_400_000;

function monthOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 7);
}

function seconds(ms: number): number {
  return Math.floor(ms / 1000);
}

function urlOf(rows: ListRows, n: number): string {
  return encodeURIComponent(`https://media.example/v1/files/${mediaIdOf(rows, n)}.png`);
}
