export { html, render, useEffect, useLayoutEffect, useRef, useState } from 'htm/preact/standalone'
