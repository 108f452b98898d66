import { Sparkles } from 'lucide-react';
import { Link } from 'react-router';
import { AudioPlayer } from '../../parts/audio-player.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Panel } from '../../parts/panel.tsx';
import { TaskStatus } from '../../parts/status.tsx';
import { TaskResult } from '../../parts/task-result.tsx';
import type { ChatAnswer } from './read-chat.ts';
import classes from './run-result.module.css';
import { say } from './texts.ts';
import type { Run } from './use-run.ts';

export function RunResult({ run: { error, task, sound, chat } }: { run: Run }) {
  const aside = task !== undefined && (
    <span className="row">
      <TaskStatus status={task.status} reason={task.error?.reason} />
      <Link to={`/tasks/${task.id}`}>{say('result.task')}</Link>
    </span>
  );
  return (
    <Panel title={say('result')} aside={aside}>
      {error && <Failure error={error} />}
      {chat !== undefined && <Chat {...chat} />}
      {task !== undefined && chat === undefined && <TaskResult task={task} />}
      {sound !== undefined && <AudioPlayer {...sound} />}
      {!error && task === undefined && sound === undefined && chat === undefined && (
        <Empty icon={Sparkles} title={say('result.none')} />
      )}
    </Panel>
  );
}

function Chat({ text, usage }: ChatAnswer) {
  return (
    <>
      <p className={classes.text} aria-live="polite">
        {text}
      </p>
      {usage !== undefined && (
        <p className="quiet">{say('text.tokens', { input: usage.prompt_tokens, output: usage.completion_tokens })}</p>
      )}
    </>
  );
}
