import { Button, Checkbox, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import ChevronDown from 'lucide-react/icons/chevron-down';
import ChevronUp from 'lucide-react/icons/chevron-up';
import Search from 'lucide-react/icons/search';
import X from 'lucide-react/icons/x';
import { useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { clientLog, logLevels, type LogEntry, type LogLevel } from '../../platform/client-log.ts';
import { useStore } from '../../platform/external-store.ts';
import { texts } from '../../texts/debug.ts';
import { IconAction } from '../../ui/ActionButton.tsx';
import { copyText } from '../../ui/copy-text.ts';
import { toastDone, toastWarning } from '../../ui/toasts.ts';
import { useFocusBack } from '../../ui/use-focus-back.ts';
import { formatLogTime, isNearBottom, shownEntries, supportText } from './log-view.ts';
import styles from './DebugPanel.module.css';

/** Debounce of the search, in milliseconds (docs/product/limits.md, Screen limits). */
const SEARCH_MS = 300;

/** Actions and failures of this page, for administrators (docs/product/screens.md, Debug panel). */
export default function DebugPanel({ onClose }: { onClose: () => void }): ReactNode {
  useFocusBack();
  const entries = useStore(clientLog);
  const [levels, setLevels] = useState<ReadonlySet<LogLevel>>(new Set(logLevels));
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed, SEARCH_MS);
  const [collapsed, setCollapsed] = useState(false);
  const visibleEntries = shownEntries(entries, levels, search);

  const toggle = (level: LogLevel): void => {
    const next = new Set(levels);
    if (!next.delete(level)) next.add(level);
    setLevels(next);
  };
  const copy = (): void => {
    if (copyText(supportText(visibleEntries))) toastDone(texts.copied);
    else toastWarning(texts.notCopied);
  };

  return (
    <section
      className={`ui-stack ui-gap-0 ${styles.panel}`}
      aria-label={texts.title}
      data-collapsed={collapsed || undefined}
    >
      <header className={`ui-row ui-gap-3 ${styles.head}`}>
        <h2 className="ui-title">{texts.title}</h2>
        <span className="ui-quiet">{texts.count(visibleEntries.length, entries.length)}</span>
        {!collapsed && (
          <>
            <fieldset className="ui-line" aria-label={texts.levels}>
              {logLevels.map((level) => (
                <Checkbox
                  key={level}
                  size="xs"
                  label={texts.levelNames[level]}
                  checked={levels.has(level)}
                  onChange={() => toggle(level)}
                />
              ))}
            </fieldset>
            <TextInput
              className={styles.search ?? ''}
              type="search"
              size="xs"
              aria-label={texts.search}
              placeholder={texts.search}
              leftSection={<Search size={14} />}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
          </>
        )}
        <div className="ui-line ui-gap-1 ui-push">
          {!collapsed && (
            <>
              <Button size="compact-xs" variant="default" onClick={copy}>
                {texts.copy}
              </Button>
              <Button size="compact-xs" variant="default" onClick={() => clientLog.set([])}>
                {texts.clear}
              </Button>
            </>
          )}
          <IconAction
            label={collapsed ? texts.expand : texts.collapse}
            icon={collapsed ? ChevronUp : ChevronDown}
            onClick={() => setCollapsed(!collapsed)}
          />
          <IconAction label={texts.close} icon={X} onClick={onClose} />
        </div>
      </header>
      {!collapsed && (
        <Log entries={visibleEntries} empty={entries.length === 0 ? texts.empty : texts.nothingFound} />
      )}
    </section>
  );
}

/** Scrolls to new entries if the list is scrolled to its end. */
function Log({ entries, empty }: { entries: readonly LogEntry[]; empty: string }): ReactNode {
  const list = useRef<HTMLOListElement>(null);
  const follows = useRef(true);
  useLayoutEffect(() => {
    if (follows.current) list.current?.scrollTo({ top: list.current.scrollHeight });
  });

  if (entries.length === 0) return <p className="ui-muted ui-pad">{empty}</p>;
  return (
    <ol
      ref={list}
      className={styles.log}
      aria-label={texts.log}
      // Scrollable, so it must be focusable.
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      onScroll={({ currentTarget }) => (follows.current = isNearBottom(currentTarget))}
    >
      {entries.map(({ id, at, level, text, requestId }) => (
        <li key={id} className={styles.entry} data-level={level}>
          <time className="ui-muted" dateTime={new Date(at).toISOString()}>
            {formatLogTime(at)}
          </time>
          <span className={styles.level}>{texts.levelNames[level]}</span>
          <span className="ui-anywhere">{text}</span>
          {requestId !== undefined && <span className="ui-muted">{texts.requestId(requestId)}</span>}
        </li>
      ))}
    </ol>
  );
}
