/** Clipboard contents of other programs. */
import type { Page } from 'playwright-core';

export interface Clipboard {
  readonly text: string;
  readonly html: string;
}

/** Puts content on the browser's clipboard as another program does: by a copy with the keyboard. */
export async function copyElsewhere(page: Page, { text, html }: Partial<Clipboard>): Promise<void> {
  await page.evaluate(
    (copied) => {
      document.addEventListener(
        'copy',
        (event) => {
          event.preventDefault();
          event.stopPropagation();
          if (copied.text !== undefined) event.clipboardData?.setData('text/plain', copied.text);
          if (copied.html !== undefined) event.clipboardData?.setData('text/html', copied.html);
        },
        { capture: true, once: true },
      );
    },
    { text, html },
  );
  await page.keyboard.press('ControlOrMeta+c');
}

/** Returns the clipboard as another program reads it: by a paste with the keyboard. */
export async function pasteElsewhere(page: Page): Promise<Clipboard> {
  const pasted = await page.evaluateHandle(() => ({
    done: new Promise<Clipboard>((resolve) => {
      document.addEventListener(
        'paste',
        (event) => {
          event.preventDefault();
          event.stopPropagation();
          const read = (type: string) => event.clipboardData?.getData(type) ?? '';
          resolve({ text: read('text/plain'), html: read('text/html') });
        },
        { capture: true, once: true },
      );
    }),
  }));
  await page.keyboard.press('ControlOrMeta+v');
  return pasted.evaluate(({ done }) => done);
}

/**
 * Three rows as copied by Excel: a header with styles, wrapped markup lines, a line break in a cell, non-breaking
 * spaces, a merged cell and a hidden row.
 */
export const EXCEL_HTML = `<html xmlns:v="urn:schemas-microsoft-com:vml"
xmlns:o="urn:schemas-microsoft-com:office:office"
xmlns:x="urn:schemas-microsoft-com:office:excel"
xmlns="http://www.w3.org/TR/REC-html40">
<head>
<meta http-equiv=Content-Type content="text/html; charset=utf-8">
<meta name=ProgId content=Excel.Sheet>
<style>
<!--table
	{mso-displayed-decimal-separator:"\\.";
	mso-displayed-thousand-separator:"\\,";}
.xl65
	{mso-number-format:"\\@";}
-->
</style>
</head>
<body link="#0563C1" vlink="#954F72">
<table border=0 cellpadding=0 cellspacing=0 width=320 style='border-collapse:
 collapse;width:240pt'>
<!--StartFragment-->
 <col width=64 span=5 style='width:48pt'>
 <tr height=19 style='height:14.4pt'>
  <td height=19 class=xl65 width=64 style='height:14.4pt;width:48pt'>Priya
  O'Brien &amp; Sons</td>
  <td class=xl65 width=64 style='width:48pt'>0042</td>
  <td width=64 style='width:48pt'>Called</td>
  <td class=xl65 width=64 style='width:48pt'>0412&nbsp;345&nbsp;678</td>
  <td align=right width=64 style='width:48pt'>$1,234.50</td>
 </tr>
 <tr height=19 style='display:none'>
  <td height=19>Hidden</td><td></td><td></td><td></td><td></td>
 </tr>
 <tr height=38 style='height:28.8pt'>
  <td colspan=2 height=38 class=xl66 style='height:28.8pt'>Tom<br>
    Lee</td>
  <td>Deal</td>
  <td align=right>412345679</td>
  <td align=right><span style='mso-spacerun:yes'> </span>99</td>
 </tr>
<!--EndFragment-->
</table>
</body>
</html>`;

/** Two rows as copied by Google Sheets. */
export const SHEETS_HTML = `<meta charset='utf-8'><google-sheets-html-origin><style type="text/css"><!--td {border: 1px solid #cccccc;}br {mso-data-placement:same-cell;}--></style><table xmlns="http://www.w3.org/1999/xhtml" cellspacing="0" cellpadding="0" dir="ltr" border="1" style="table-layout:fixed;font-size:10pt;font-family:Arial;width:0px;border-collapse:collapse;border:none" data-sheets-root="1" data-sheets-baot="1"><colgroup><col width="100"/><col width="100"/></colgroup><tbody><tr style="height:21px;"><td style="overflow:hidden;padding:2px 3px 2px 3px;vertical-align:bottom;">25/12/2026</td><td style="overflow:hidden;padding:2px 3px 2px 3px;vertical-align:bottom;" data-sheets-value="{&quot;1&quot;:2,&quot;2&quot;:&quot;5 Mar 2026 2:30pm&quot;}">5 Mar 2026 2:30pm</td><td style="overflow:hidden;padding:2px 3px 2px 3px;vertical-align:bottom;">Wants a call<br/>after five</td></tr><tr style="height:21px;"><td style="overflow:hidden;padding:2px 3px 2px 3px;vertical-align:bottom;text-align:right;">1/2/27</td><td style="overflow:hidden;padding:2px 3px 2px 3px;vertical-align:bottom;"></td><td style="overflow:hidden;padding:2px 3px 2px 3px;vertical-align:bottom;"><a class="in-cell-link" href="https://example.com/">see file</a></td></tr></tbody></table>`;
