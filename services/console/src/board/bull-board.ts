import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import { isFamily, WORKER_FAMILIES } from '@mediagate/contracts';
import type { Logger } from '@mediagate/host';
import type { QueueViews } from '@mediagate/queue';
import type { Express } from 'express';
import { guardActions } from './board-actions';
import { BOARD_THEME } from './board-theme';

/** Bull Board over all queues, to be mounted at `basePath`. It has no login of its own. */
export function createBoard(queues: QueueViews['queues'], basePath: string, logger: Logger): Express {
  const adapter = new ExpressAdapter().setBasePath(basePath);
  createBullBoard({
    queues: queues
      .filter(({ name }) => isServed(name))
      .map(
        (queue) => new BullMQAdapter(queue, { allowRetries: false, ...(isFamily(queue.name) && { externalJobUrl }) }),
      ),
    serverAdapter: adapter,
    options: {
      handlerHooks: { before: guardActions(logger) },
      uiConfig: {
        boardTitle: 'mediagate queues',
        boardLogo: { path: '/assets/logo.svg', width: 24, height: 24 },
        favIcon: { default: '/assets/logo.svg', alternative: '/assets/logo.svg' },
        hideDocsLink: true,
        theme: BOARD_THEME,
      },
    },
  });
  const board: Express = adapter.getRouter();
  return board.disable('x-powered-by');
}

/** Families whose callers are answered by the API itself have a queue by name alone, which nobody consumes. */
function isServed(queue: string): boolean {
  return !isFamily(queue) || WORKER_FAMILIES.some((family) => family === queue);
}

/** A family's job only says which task to look at. */
function externalJobUrl({ data }: { data?: { taskId?: unknown } }): { displayText: string; href: string } {
  return { displayText: 'Task', href: `/tasks/${data?.taskId}` };
}
