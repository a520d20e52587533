import { firstCharacters, MAX_SEARCH_LENGTH } from '@forecourt/contract/characters';
import { Modal } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import Search from 'lucide-react/icons/search';
import { useId, useState, type KeyboardEvent, type ReactNode } from 'react';
import '../../ui/styles-dialog.ts';
import { texts as appTexts } from '../../texts/app.ts';
import { texts } from '../../texts/palette.ts';
import { intoView } from '../../ui/into-view.ts';
import { useFocusBack } from '../../ui/use-focus-back.ts';
import { grouped, matching, type PaletteEntry } from './palette-entries.ts';
import { usePaletteRecords } from './use-palette-records.ts';
import styles from './Palette.module.css';

/** Maximum number of entries per group. */
const MAX_OF_A_GROUP = 6;

type PaletteProps = {
  commands: readonly PaletteEntry[];
  onClose: () => void;
};

/** Opens a screen or record, or runs a command (docs/product/screens.md, Command palette and keys). */
export default function Palette({ commands, onClose }: PaletteProps): ReactNode {
  useFocusBack();
  const [typed, setTyped] = useState('');
  // The id is stored instead of the index, because lists that load later add entries before it.
  const [activeId, setActiveId] = useState<string>();
  const listId = useId();
  const navigate = useNavigate();
  const records = usePaletteRecords(typed, (to) => void navigate(to));

  const nothingTyped = typed.trim() === '';
  const matches = matching(
    nothingTyped ? commands : [...commands, ...records.entries],
    typed,
    MAX_OF_A_GROUP,
  );
  // Without a search text, settings are left out: there are too many.
  const offered = commands.filter(({ group }) => group !== 'settings');
  const groups = grouped(nothingTyped ? offered : [...matches, ...records.dealEntries]);
  const visibleEntries = groups.flatMap(([, entries]) => entries);
  const active = Math.max(
    0,
    visibleEntries.findIndex(({ id }) => id === activeId),
  );
  const chosen = visibleEntries[active];
  const optionId = (entry: PaletteEntry): string => `${listId}-${entry.id}`;

  const run = (entry: PaletteEntry): void => {
    onClose();
    entry.run();
  };
  const press = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && visibleEntries.length > 0) {
      event.preventDefault();
      setActiveId(visibleEntries[(active + step + visibleEntries.length) % visibleEntries.length]?.id);
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing && chosen) {
      event.preventDefault();
      run(chosen);
    }
  };

  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      styles={{ body: { padding: 0 } }}
      size={620}
      yOffset="10dvh"
      attributes={{ content: { 'aria-label': appTexts.palette.open } }}
      overlayProps={{ color: 'var(--overlay)', backgroundOpacity: 1 }}
    >
      <div className={`ui-line ${styles.search}`}>
        <Search size={16} aria-hidden="true" />
        <input
          className={styles.input}
          role="combobox"
          aria-label={texts.label}
          aria-expanded={visibleEntries.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={chosen && optionId(chosen)}
          placeholder={texts.placeholder}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          value={typed}
          onChange={(event) => {
            setTyped(firstCharacters(event.currentTarget.value, MAX_SEARCH_LENGTH));
            setActiveId(undefined);
          }}
          onKeyDown={press}
        />
      </div>
      <span className="ui-hidden">
        <output>{nothingTyped || records.isSearching ? '' : texts.count(visibleEntries.length)}</output>
      </span>
      {visibleEntries.length === 0 ? (
        <div className="ui-muted ui-pad">
          {records.isSearching ? texts.searching : `${texts.nothing}. ${texts.nothingNext}`}
        </div>
      ) : (
        <div id={listId} className={styles.results} role="listbox" aria-label={texts.results}>
          {groups.map(([group, entries]) => (
            <div key={group} role="group" aria-label={texts.groups[group]}>
              <p className={`ui-quiet ${styles.group}`} aria-hidden="true">
                {texts.groups[group]}
              </p>
              {entries.map((entry) => (
                // The focus remains in the field above, which references the active option.
                // eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
                <div
                  key={entry.id}
                  ref={entry === chosen ? intoView : null}
                  id={optionId(entry)}
                  className={`ui-line ui-gap-4 ui-baseline ui-between ${styles.entry}`}
                  role="option"
                  aria-selected={entry === chosen}
                  onMouseMove={() => setActiveId(entry.id)}
                  onClick={() => run(entry)}
                >
                  <span className={`ui-ellipsis ui-fixed ui-strong ${styles.label}`}>{entry.label}</span>
                  {entry.note && <span className="ui-quiet ui-ellipsis">{entry.note}</span>}
                </div>
              ))}
            </div>
          ))}
        </div>
      )}
    </Modal>
  );
}
