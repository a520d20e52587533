import { Menu, Tooltip, UnstyledButton } from '@mantine/core';
import { useEditorState, type Editor } from '@tiptap/react';
import Table from 'lucide-react/icons/table';
import type { ReactNode } from 'react';
import { texts } from '../../../texts/email-templates.ts';
import {
  addColumn,
  addRow,
  insertTable,
  removeColumn,
  removeRow,
  removeTable,
  tableAround,
  toggleHeader,
} from './table-commands.ts';
import styles from './Toolbar.module.css';

const sizes = [
  [texts.tableAddRow, addRow],
  [texts.tableAddColumn, addColumn],
  [texts.tableRemoveRow, removeRow],
  [texts.tableRemoveColumn, removeColumn],
] as const;

/** Inserts a table, or changes the one at the cursor. */
export function TableTool({ editor }: { editor: Editor }): ReactNode {
  const around = useEditorState({ editor, selector: (snapshot) => tableAround(snapshot.editor.state) });
  return (
    <Menu position="bottom-start" returnFocus={false}>
      <Menu.Target>
        <Tooltip label={texts.tableTool}>
          <UnstyledButton
            className={styles.tool}
            tabIndex={-1}
            aria-label={texts.tableTool}
            aria-pressed={around !== null}
          >
            <Table />
          </UnstyledButton>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        {around === null ? (
          <Menu.Item onClick={() => insertTable(editor)}>{texts.tableInsert}</Menu.Item>
        ) : (
          <>
            {sizes.map(([label, run]) => (
              <Menu.Item key={label} onClick={() => run(editor)}>
                {label}
              </Menu.Item>
            ))}
            <Menu.Divider />
            <Menu.Item onClick={() => toggleHeader(editor)}>
              {around.hasHeader ? texts.tableWithoutHeader : texts.tableWithHeader}
            </Menu.Item>
            <Menu.Item onClick={() => removeTable(editor)}>{texts.tableRemove}</Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
