# Tries: to keep the examiner busy with HTML that is slow to read
# Says: shown
from IPython.display import HTML, Markdown, display
for piece in ("<div>", "<b ", "<!--", "<b><p></b></p>", "&#", "<b style='"):
    for _ in range(20):
        display(HTML(piece * 10_000), Markdown(piece * 10_000))
print("shown")
