import http, { type RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { forAllTests } from '@mediagate/testkit';
import { openWorld } from './world';

const world = forAllTests(openWorld);
const TASK = `task_${'0'.repeat(26)}`;
const KEY = '0'.repeat(12);

/** The requests of a command to the routes of operators, which do nothing here: their own tests say what they do. */
async function requestsOf(command: string): Promise<string[]> {
  const requests: string[] = [];
  const { createServer } = http;
  const note: RequestListener = async (request, response) => {
    const body = await text(request);
    requests.push(`${request.method} ${request.url?.replace('/admin/v1/', '')} ${body}`.trim());
    response.setHeader('connection', 'close').end('{"data": []}');
  };
  const spy = jest.spyOn(http, 'createServer').mockImplementation(() => createServer(note));
  try {
    await world.run(...command.split(' '));
  } finally {
    spy.mockRestore();
  }
  return requests;
}

const REASON = '"reason":"why"';

it.each([
  [
    'account create --name Studio --priority-class high --reason why',
    `POST accounts {"name":"Studio","priority_class":"high",${REASON}}`,
  ],
  ['account list --search RENAMED --state closed', 'GET accounts?query=RENAMED&state=closed&limit=100'],
  [`account list --key mg_${KEY}_${'a'.repeat(64)} --limit 5`, `GET accounts?key_id=${KEY}&limit=5`],
  ['account show a', 'GET accounts/a'],
  ['trouble list', 'GET troubles'],
  ['account ledger a --before c', 'GET accounts/a/ledger?cursor=c&limit=20'],
  [
    'account update a --name b --submit-per-minute 60 --query-per-minute none --marks signed --unmarked default',
    'PATCH accounts/a {"name":"b","submit_per_minute":60,"query_per_minute":null,"marks":"signed","unmarked":null}',
  ],
  ['account update a --priority-class low', 'PATCH accounts/a {"priority_class":"low"}'],
  ['account suspend a --reason why', `POST accounts/a/suspend {${REASON}}`],
  ['account resume a', 'POST accounts/a/resume'],
  ['account close a', 'POST accounts/a/close'],
  ['account adjust a --reason why -- -1.5', `POST accounts/a/adjust {"amount":-1.5,${REASON}}`],
  [
    'account top-up a 98765432.123456789 --reference r --note n',
    'POST accounts/a/top-up {"amount":"98765432.123456789","reference":"r","note":"n"}',
  ],
  [
    'key create --account a --quota 7.5 --families image,video --families text --models m --test --scope own --manage',
    'POST keys {"account_id":"a","quota":7.5,"families":["image","video","text"],"models":["m"],"mode":"test","manage":true,"scope":"own"}',
  ],
  [
    `key update ${KEY} --quota none --max-concurrent none --submit-per-minute 7 --query-per-minute 8`,
    `PATCH keys/${KEY} {"quota":null,"submit_per_minute":7,"query_per_minute":8,"max_concurrent":null}`,
  ],
  [
    `key update ${KEY} --quota 2 --quota none --name n --expires-at 2999-01-31 --no-manage`,
    `PATCH keys/${KEY} {"name":"n","quota":null,"expires_at":${Date.parse('2999-01-31') / 1000},"manage":false}`,
  ],
  [`key update ${KEY} --manage --expires-at none`, `PATCH keys/${KEY} {"expires_at":null,"manage":true}`],
  ['key list --account a --revoked', 'GET keys?account_id=a&revoked=true&limit=100'],
  [`key list --id ${KEY} --no-revoked`, `GET keys?id=${KEY}&revoked=false&limit=100`],
  [`key revoke ${KEY} --reason why`, `POST keys/${KEY}/revoke {${REASON}}`],
  [`key rotate ${KEY}`, `POST keys/${KEY}/rotate`],
  [
    'task list --account a --metadata order=17 --query okapi --created-before 2026-01-31 --after 2026-01-31T12:00:00Z',
    'GET tasks?account_id=a&metadata.order=17&query=okapi&created_after=1769860800&created_before=2026-01-31&limit=20',
  ],
  [
    'task list --request-id r --id task_01 --status failed --family image --model m --url u',
    'GET tasks?request_id=r&id=task_01&url=u&status=failed&family=image&model=m&limit=20',
  ],
  [`task show ${TASK}`, `GET tasks/${TASK}`],
  [`task result ${TASK} --reason why`, `POST tasks/${TASK}/result {${REASON}}`],
  [`task retry ${TASK}`, `POST tasks/${TASK}/retry`],
  [`task fail ${TASK} --reason why`, `POST tasks/${TASK}/fail {${REASON}}`],
  [`task refund ${TASK} --reason why --amount 2.1`, `POST tasks/${TASK}/refund {${REASON},"amount":2.1}`],
  ['attempt list --all --test', 'GET attempts?resolved=true&test=true&limit=20'],
  ['attempt paid att_1 --cost 0.5', 'POST attempts/att_1/resolve {"resolution":"paid","cost":0.5}'],
  ['attempt not-paid att_1', 'POST attempts/att_1/resolve {"resolution":"not_paid"}'],
  [
    'delivery list --task t --account a --state rejected',
    'GET deliveries?task_id=t&account_id=a&state=rejected&limit=100',
  ],
  [
    'delivery redeliver --state rejected --task t --task u --after 2020-01-01 --reason why',
    `POST deliveries/redeliver {"state":"rejected","task_ids":["t","u"],"created_after":"2020-01-01",${REASON}}`,
  ],
  ['delivery redeliver whd_1', 'POST deliveries/whd_1/redeliver'],
  ['delivery cancel whd_1', 'POST deliveries/whd_1/cancel'],
  [
    'action list --subject a --actor cli:ada --action account.create --after 1769860800',
    'GET actions?subject=a&actor=cli%3Aada&action=account.create&created_after=1769860800&limit=20',
  ],
  [
    'notice add webhook https://a.example --kinds low_balance',
    'POST notices/targets {"medium":"webhook","address":"https://a.example","kinds":["low_balance"]}',
  ],
  ['notice change t --kinds all --language de', 'PATCH notices/targets/t {"kinds":null,"language":"de"}'],
  ['notice remove t', 'POST notices/targets/t/remove'],
  ['notice test t --reason why', `POST notices/targets/t/test {${REASON}}`],
  [
    'notice list --state standing --kind low_balance --account a',
    'GET notices?state=standing&kind=low_balance&account_id=a&limit=20',
  ],
  [
    'notice set --low-balance 20.5 --key-quota-percents 90,50 --repeat-minutes default',
    'PATCH notices/settings {"low_balance":20.5,"key_quota_percents":[90,50],"repeat_minutes":null}',
  ],
  [
    'user create --email Kim@a.example --role owner --account a',
    'POST users {"name":"Kim","email":"Kim@a.example","role":"owner","account_id":"a"}',
  ],
  ['user list --state invited --email kim --kind account', 'GET users?kind=account&state=invited&email=kim&limit=100'],
  ['user update u --role read --name k', 'PATCH users/u {"name":"k","role":"read"}'],
  ['user disable u --reason why', `POST users/u/disable {${REASON}}`],
  ['user enable u', 'POST users/u/enable'],
  ['user invite u', 'POST users/u/invite'],
  ['user end-sessions u', 'POST users/u/end-sessions'],
  ['user reset-second-factor u', 'POST users/u/reset-second-factor'],
  ['user reset-password u', 'POST users/u/reset'],
  ['user delete u', 'DELETE users/u'],
])('%s', async (command, request) => {
  expect(await requestsOf(command)).toEqual([request]);
});
