import { isEnded, type Task } from '../../api/task.ts';
import { FactList } from '../../parts/fact-list.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Money } from '../../parts/money.tsx';
import { Panel } from '../../parts/panel.tsx';
import { say } from './texts.ts';

export function Facts({ task }: { task: Task }) {
  const { created, completed, cost, reserved, progress, test, metadata = {}, usage = {} } = task;
  return (
    <Panel title={say('facts')}>
      <FactList
        facts={[
          [say('facts.created'), <Moment key="created" at={created} />],
          completed !== undefined && [say('facts.seconds'), completed > created ? `${completed - created} s` : '< 1 s'],
          !isEnded(task) && [say('facts.progress'), `${progress} %`],
          isEnded(task) && [say('facts.cost'), <Money key="cost" amount={cost} />],
          reserved > 0 && [say('facts.held'), <Money key="held" amount={reserved} />],
          test === true && [say('facts.mode'), say('facts.test')],
          ...Object.entries(usage).map(([name, value]): Fact => [name, String(value)]),
          ...Object.entries(metadata).map(([name, value]): Fact => [name, String(value)]),
        ]}
      />
    </Panel>
  );
}

type Fact = [string, string];
