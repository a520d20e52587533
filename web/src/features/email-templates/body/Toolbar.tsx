import { Menu, UnstyledButton } from '@mantine/core';
import { useEditorState, type Editor } from '@tiptap/react';
import Bold from 'lucide-react/icons/bold';
import Braces from 'lucide-react/icons/braces';
import ChevronDown from 'lucide-react/icons/chevron-down';
import EyeDashed from 'lucide-react/icons/eye-dashed';
import Italic from 'lucide-react/icons/italic';
import Link2 from 'lucide-react/icons/link-2';
import List from 'lucide-react/icons/list';
import ListOrdered from 'lucide-react/icons/list-ordered';
import Minus from 'lucide-react/icons/minus';
import RectangleEllipsis from 'lucide-react/icons/rectangle-ellipsis';
import Redo2 from 'lucide-react/icons/redo-2';
import Strikethrough from 'lucide-react/icons/strikethrough';
import Table from 'lucide-react/icons/table';
import Underline from 'lucide-react/icons/underline';
import Undo2 from 'lucide-react/icons/undo-2';
import type { ComponentType, ReactNode } from 'react';
import { texts } from '../../../texts/email-templates.ts';
import { moveFocus } from '../../../ui/move-focus.ts';
import { VariableMenu } from '../VariableMenu.tsx';
import { AddressPopover } from './AddressPopover.tsx';
import { canHaveCondition, conditionAround, removeCondition, setCondition } from './conditional-commands.ts';
import { ImageTool } from './ImageTool.tsx';
import {
  leaveTable,
  addColumn,
  addRow,
  insertTable,
  removeColumn,
  removeRow,
  removeTable,
  tableAround,
  toggleHeader,
} from './table-commands.ts';
import { ToolButton } from './ToolButton.tsx';
import { insertVariable } from './variable-commands.ts';
import styles from './Toolbar.module.css';

type Tool = {
  label: string;
  keys?: string;
  icon: ComponentType;
  run: (editor: Editor) => void;
  /** Whether a format is on; undefined for an action. */
  isOn?: (editor: Editor) => boolean;
  isPossible?: (editor: Editor) => boolean;
};

const format = (name: string, label: string, icon: ComponentType, keys: string): Tool => ({
  label,
  keys,
  icon,
  run: (editor) => editor.chain().focus().toggleMark(name).run(),
  isOn: (editor) => editor.isActive(name),
});

const formats: readonly Tool[] = [
  format('bold', texts.bold, Bold, 'Ctrl+B'),
  format('italic', texts.italic, Italic, 'Ctrl+I'),
  format('underline', texts.underline, Underline, 'Ctrl+U'),
  format('strike', texts.strike, Strikethrough, 'Ctrl+Shift+S'),
];

const blocks: readonly Tool[] = [
  {
    label: texts.bulletList,
    icon: List,
    run: (editor) => editor.chain().focus().toggleBulletList().run(),
    isOn: (editor) => editor.isActive('bulletList'),
  },
  {
    label: texts.orderedList,
    icon: ListOrdered,
    run: (editor) => editor.chain().focus().toggleOrderedList().run(),
    isOn: (editor) => editor.isActive('orderedList'),
  },
  {
    label: texts.rule,
    icon: Minus,
    run: (editor) => editor.chain().focus().command(leaveTable).setHorizontalRule().run(),
  },
];

const steps: readonly Tool[] = [
  {
    label: texts.undo,
    keys: 'Ctrl+Z',
    icon: Undo2,
    run: (editor) => editor.chain().focus().undo().run(),
    isPossible: (editor) => editor.can().undo(),
  },
  {
    label: texts.redo,
    keys: 'Ctrl+Shift+Z',
    icon: Redo2,
    run: (editor) => editor.chain().focus().redo().run(),
    isPossible: (editor) => editor.can().redo(),
  },
];

/** Formats and actions of the text. The toolbar is one tab stop; arrow keys move between its buttons. */
export function Toolbar({ editor }: { editor: Editor }): ReactNode {
  return (
    <div
      className={styles.root}
      role="toolbar"
      tabIndex={-1}
      aria-label={texts.toolbar}
      onKeyDown={moveFocus}
    >
      <BlockStyle editor={editor} />
      <Tools editor={editor} tools={formats} />
      <LinkButton editor={editor} />
      <Tools editor={editor} tools={blocks} />
      <div className={styles.group}>
        <ImageTool editor={editor} />
        <ButtonTool editor={editor} />
        <TableTool editor={editor} />
        <ConditionButton editor={editor} />
      </div>
      <Tools editor={editor} tools={steps} />
      <VariableMenu onPick={({ key }) => insertVariable(editor, key)}>
        <UnstyledButton className={styles.wide} tabIndex={-1}>
          <Braces /> {texts.insertVariable}
        </UnstyledButton>
      </VariableMenu>
    </div>
  );
}

function Tools({ editor, tools }: { editor: Editor; tools: readonly Tool[] }): ReactNode {
  const states = useEditorState({
    editor,
    selector: (snapshot) =>
      tools.map(({ isOn, isPossible }) => ({
        on: isOn?.(snapshot.editor),
        possible: isPossible?.(snapshot.editor) ?? true,
      })),
  });
  return (
    <div className={styles.group}>
      {tools.map(({ label, keys, icon, run }, index) => (
        <ToolButton
          key={label}
          label={label}
          note={keys ? `${label} (${keys})` : label}
          icon={icon}
          aria-pressed={states[index]?.on}
          aria-disabled={states[index]?.possible === false || undefined}
          onClick={() => run(editor)}
        />
      ))}
    </div>
  );
}

const levels = [1, 2, 3] as const;

function BlockStyle({ editor }: { editor: Editor }): ReactNode {
  const level = useEditorState({
    editor,
    selector: (snapshot) =>
      levels.find((candidate) => snapshot.editor.isActive('heading', { level: candidate })),
  });
  return (
    <Menu position="bottom-start" returnFocus={false}>
      <Menu.Target>
        <UnstyledButton className={styles.style} aria-label={texts.blockStyle}>
          {level === undefined ? texts.paragraph : texts.heading(level)} <ChevronDown size={14} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => editor.chain().focus().setParagraph().run()}>{texts.paragraph}</Menu.Item>
        {levels.map((candidate) => (
          <Menu.Item
            key={candidate}
            className={styles[`heading${candidate}`]}
            onClick={() => editor.chain().focus().setHeading({ level: candidate }).run()}
          >
            {texts.heading(candidate)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Sets, changes or removes the condition of the selected blocks. */
function ConditionButton({ editor }: { editor: Editor }): ReactNode {
  const { key, isPossible } = useEditorState({
    editor,
    selector: ({ editor: { state } }) => ({
      key: conditionAround(state)?.key,
      isPossible: canHaveCondition(state),
    }),
  });
  return (
    <VariableMenu
      heading={texts.shownOnlyWhen}
      impossible={isPossible ? undefined : texts.conditionImpossible}
      current={key}
      position="bottom-start"
      onPick={(chosen) => setCondition(editor, chosen.key)}
      onRemove={key === undefined ? undefined : () => removeCondition(editor)}
    >
      <ToolButton
        label={texts.condition}
        icon={EyeDashed}
        aria-pressed={key !== undefined}
        aria-disabled={!isPossible || undefined}
      />
    </VariableMenu>
  );
}

/** Links the selected text, or changes the link at the cursor. */
function LinkButton({ editor }: { editor: Editor }): ReactNode {
  const href = useEditorState({
    editor,
    selector: (snapshot): string | undefined => snapshot.editor.getAttributes('link')['href'],
  });

  const apply = (address: string, typed: string): void => {
    const chain = editor.chain().focus();
    if (editor.state.selection.empty && href === undefined) {
      const marks = [{ type: 'link', attrs: { href: address } }];
      chain.insertContent({ type: 'text', text: typed, marks });
    } else chain.extendMarkRange('link').setLink({ href: address });
    chain.run();
  };

  return (
    <AddressPopover
      address={href}
      onApply={apply}
      removeLabel={texts.linkRemove}
      onRemove={() => editor.chain().focus().extendMarkRange('link').unsetLink().run()}
    >
      {(open) => (
        <ToolButton label={texts.link} icon={Link2} aria-pressed={href !== undefined} onClick={open} />
      )}
    </AddressPopover>
  );
}

/** Inserts a button with this address and places the cursor in it. Selected text becomes its label. */
function insertButton(editor: Editor, href: string): void {
  const { doc, selection } = editor.state;
  const text = doc.textBetween(selection.from, selection.to, ' ');
  const content = text === '' ? {} : { content: [{ type: 'text', text }] };
  editor
    .chain()
    .focus()
    .command(leaveTable)
    .insertContent({ type: 'button', attrs: { href }, ...content })
    .run();
}

const setButtonAddress = (editor: Editor, href: string): boolean =>
  editor.chain().focus().updateAttributes('button', { href }).run();

/** Removes the button around the cursor. Its text becomes a paragraph. */
const unwrapButton = (editor: Editor): boolean => editor.chain().focus().setNode('paragraph').run();

/** Inserts a button, or changes the address of the button at the cursor. */
function ButtonTool({ editor }: { editor: Editor }): ReactNode {
  const href = useEditorState({
    editor,
    selector: (snapshot): string | undefined => snapshot.editor.getAttributes('button')['href'],
  });
  return (
    <AddressPopover
      address={href}
      onApply={(address) =>
        href === undefined ? insertButton(editor, address) : setButtonAddress(editor, address)
      }
      removeLabel={texts.buttonUnwrap}
      onRemove={() => unwrapButton(editor)}
    >
      {(open) => (
        <ToolButton
          label={texts.button}
          icon={RectangleEllipsis}
          aria-pressed={href !== undefined}
          onClick={open}
        />
      )}
    </AddressPopover>
  );
}

const sizes = [
  [texts.tableAddRow, addRow],
  [texts.tableAddColumn, addColumn],
  [texts.tableRemoveRow, removeRow],
  [texts.tableRemoveColumn, removeColumn],
] as const;

/** Inserts a table, or changes the table at the cursor. */
function TableTool({ editor }: { editor: Editor }): ReactNode {
  const around = useEditorState({ editor, selector: (snapshot) => tableAround(snapshot.editor.state) });
  return (
    <Menu position="bottom-start" returnFocus={false}>
      <Menu.Target>
        <ToolButton label={texts.tableTool} icon={Table} aria-pressed={around !== null} />
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
