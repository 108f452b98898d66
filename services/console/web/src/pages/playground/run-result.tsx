import { Sparkles } from 'lucide-react';
import { Link } from 'react-router';
import { AudioPlayer } from '../../parts/audio-player.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Panel } from '../../parts/panel.tsx';
import { TaskStatus } from '../../parts/status.tsx';
import { TaskResult } from '../../parts/task-result.tsx';
import { say } from './texts.ts';
import type { Run } from './use-run.ts';

export function RunResult({ run: { error, task, sound } }: { run: Run }) {
  const aside = task !== undefined && (
    <span className="row">
      <TaskStatus status={task.status} reason={task.error?.reason} />
      <Link to={`/tasks/${task.id}`}>{say('result.task')}</Link>
    </span>
  );
  return (
    <Panel title={say('result')} aside={aside}>
      {error && <Failure error={error} />}
      {task !== undefined && <TaskResult task={task} />}
      {sound !== undefined && <AudioPlayer {...sound} />}
      {!error && task === undefined && sound === undefined && <Empty icon={Sparkles} title={say('result.none')} />}
    </Panel>
  );
}
