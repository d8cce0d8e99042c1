// What a stranger may write wherever something is collected: to run, to load, to look like something else, or
// to push a page out of its shape.

/**
 * `hit()` would be called by what runs; an element of the class `evil` would be made of what is taken for
 * HTML; evil.test would be asked.
 */
export const hostileTexts: readonly string[] = [
  '<script>hit()</script>',
  '<script src="https://evil.test/x.js"></script>',
  '"><img src=x class=evil onerror=hit()>',
  `'><svg/onload=hit() class=evil>`,
  '`><img class=evil src=https://evil.test/x onerror=hit()>',
  '</textarea></title></style></script></template><img class=evil src=x onerror=hit()>',
  '--><img class=evil src=x onerror=hit()><!--',
  ']]><img class=evil src=x onerror=hit()>',
  '<a class=evil href="javascript:hit()">press me</a>',
  '<a class=evil href="https://evil.test/" target=_top>press me</a>',
  '<iframe class=evil srcdoc="<script>parent.hit()</script>"></iframe>',
  '<form class=evil action=https://evil.test><input autofocus onfocus=hit()></form>',
  '<math><mi class=evil xlink:href="javascript:hit()">x</mi></math>',
  '<style class=evil>@import "https://evil.test/x.css";*{display:none}</style>',
  '<base class=evil href=https://evil.test/>',
  '<meta class=evil http-equiv=refresh content="0;url=https://evil.test">',
  '<dialog open class=evil style="position:fixed;inset:0">x</dialog>',
  '<b class=evil popover>bold</b>',
  'javascript:hit()',
  'JaVaScRiPt:hit()//https://example.com/',
  ' java\tscript:hit()',
  'data:text/html,<script>hit()</script>',
  'vbscript:hit()',
  'blob:https://evil.test/1',
  '//evil.test/x',
  'https://evil.test/"onmouseover="hit()"x="',
  '{{constructor.constructor("hit()")()}}',
  '${hit()} #{hit()} <%= hit() %> {%hit%}',
  'x;color:red}*{display:none;background:url(https://evil.test/x)',
  'expression(hit())',
  '&lt;img class=evil src=x onerror=hit()&gt; &amp;#106; &#x3c;b&#x3e; &nbsp;',
  '%3Cscript%3Ehit()%3C%2Fscript%3E %00 %0d%0a %zz',
  '\u202Egnp.exe\u202D\u2066 turned \u2067round',
  'zero\u200Bwidth\u200Djoined\uFEFF\u00AD\u2060here',
  'Z\u0338\u0347\u035Da\u0334\u0350\u0346l\u0335\u031F\u0301g\u0337\u030D\u0353o\u0336\u0322\u034C',
  '👩‍👩‍👧‍👦🏴‍☠️🇨🇭👍🏽',
  '\ud800 half a letter',
  'one line\r\nand another\u2028and a third\u0085',
  'a\u0000b\u0008c\u001b[31md\u007f',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'null',
  'undefined',
  'NaN',
  '[object Object]',
  '-1',
  `'; DROP TABLE views; --`,
  '=HYPERLINK("https://evil.test","x")',
  '../../../../etc/passwd',
  '%s %d %n $1 $& \\u003cscript\\u003e',
  ':|:equals:|',
  'w'.repeat(2000),
  `${'words '.repeat(300)}end`,
  'Ｗｉｄｅ'.repeat(300),
]

/**
 * The one that is looked for by name: nothing that cleans up changes it, and it is short enough for every
 * name.
 */
export const marker = '"><img src=x class=evil onerror=hit()>'

/** Those that are short enough for the name of something. */
export const hostileNames: readonly string[] = hostileTexts.filter((text) => text.length <= 120 && text.trim() !== '')
