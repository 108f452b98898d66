import { run, type User } from './browser';

interface ListedPage {
  /** Also the name of its screenshots. */
  name: string;
  user: User | 'nobody';
  /** The path that follows the console's address. */
  path: string | (() => Promise<string>);
  /** Its name among the documents' images, where it is shown in one. */
  documented?: string;
}

/** Every page that the suite looks at, in both themes and at three widths. A new page is a new line. */
export const PAGES: readonly ListedPage[] = [
  { name: 'sign-in', user: 'nobody', path: '/' },
  { name: 'overview', user: 'customer', path: '/' },
  { name: 'tasks', user: 'customer', path: '/tasks' },
  { name: 'task-image', user: 'customer', path: () => newestTask('status=completed&family=image') },
  { name: 'task-music', user: 'customer', path: () => newestTask('family=music'), documented: 'console-task' },
  { name: 'task-video', user: 'customer', path: () => newestTask('status=completed&family=video') },
  { name: 'task-failed', user: 'customer', path: () => newestTask('status=failed') },
  { name: 'task-running', user: 'customer', path: () => newestTask('status=processing') },
  { name: 'playground', user: 'customer', path: '/playground' },
  { name: 'playground-music', user: 'customer', path: '/playground?model=musicgen' },
  { name: 'playground-text', user: 'customer', path: '/playground?model=text-2.5-flash' },
  { name: 'usage', user: 'customer', path: '/usage' },
  { name: 'ledger', user: 'customer', path: '/ledger' },
  { name: 'keys', user: 'customer', path: '/keys' },
  { name: 'callbacks', user: 'customer', path: '/callbacks?state=pending' },
  { name: 'own-notices', user: 'customer', path: '/notices' },
  { name: 'files', user: 'customer', path: '/files' },
  { name: 'own-origin', user: 'customer', path: '/origin' },
  { name: 'own-users', user: 'customer', path: '/users' },
  { name: 'profile', user: 'customer', path: '/profile' },
  { name: 'not-found', user: 'customer', path: '/nowhere' },
  { name: 'now', user: 'operator', path: '/' },
  { name: 'support', user: 'operator', path: '/tasks' },
  { name: 'case', user: 'operator', path: () => newestTask('status=failed') },
  { name: 'channels', user: 'operator', path: '/channels' },
  { name: 'channel', user: 'operator', path: '/channels/images-openai' },
  { name: 'notices', user: 'operator', path: '/notices?state=all' },
  { name: 'quarantine', user: 'operator', path: '/quarantine' },
  { name: 'deliveries', user: 'operator', path: '/deliveries' },
  { name: 'accounts', user: 'operator', path: '/accounts' },
  { name: 'account', user: 'operator', path: () => Promise.resolve(`/accounts/${run.accountId}`) },
  { name: 'prices', user: 'operator', path: '/prices' },
  { name: 'margin', user: 'operator', path: '/margin' },
  { name: 'log', user: 'operator', path: '/log' },
  { name: 'origin', user: 'operator', path: '/origin' },
  { name: 'users', user: 'operator', path: '/users' },
  { name: 'books', user: 'operator', path: '/books' },
  { name: 'settings', user: 'operator', path: '/settings' },
  { name: 'queues', user: 'operator', path: '/queues' },
  { name: 'own-profile', user: 'operator', path: '/profile' },
];

async function newestTask(filter: string): Promise<string> {
  const headers = { authorization: `Bearer ${run.apiKey}` };
  const response = await fetch(`${run.baseUrl}/v1/tasks?limit=1&${filter}`, { headers });
  const { data } = (await response.json()) as { data: { id: string }[] };
  if (data[0] === undefined) throw new Error(`There is no task with ${filter}.`);
  return `/tasks/${data[0].id}`;
}
